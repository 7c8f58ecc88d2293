import { createHmac, timingSafeEqual } from 'node:crypto';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { SignedUpload, UploadGrant } from '../../core/images/object-store.js';
import type { ServiceSecrets } from '../../platform/database/service-secrets.js';
import type { PublicAddress } from '../../platform/http/public-address.js';
import { signedText, UPLOAD_PATH, type UploadClaim } from './upload-claim.js';

const SECRET_NAME = 'upload-url';
const NEEDED = ['version', 'expiresMs', 'maxBytes', 'signature'];
const OPTIONAL = ['contentType', 'contentLength'];
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;

/** A query as the HTTP layer parsed it; a name that stands twice is a list. */
export type UploadQuery = Readonly<Record<string, unknown>>;

/** Makes and checks the addresses at which the local driver takes photos: HMAC-SHA256 with a secret that all instances share. */
export class UploadSigner {
  constructor(
    private readonly secrets: Pick<ServiceSecrets, 'current' | 'find'>,
    private readonly address: Pick<PublicAddress, 'url'>,
  ) {}

  async sign(grant: UploadGrant): Promise<SignedUpload> {
    const { contentType, contentLength } = grant.announced;
    const claim: UploadClaim = {
      imageId: grant.imageId,
      expiresMs: grant.expiresAt.getTime(),
      maxBytes: grant.maxBytes,
      contentType,
      contentLength,
    };
    const { version, secret } = await this.secrets.current(SECRET_NAME);
    const query = new URLSearchParams({
      version: String(version),
      expiresMs: String(claim.expiresMs),
      maxBytes: String(claim.maxBytes),
    });
    if (contentType !== null) query.set('contentType', contentType);
    if (contentLength !== null) query.set('contentLength', String(contentLength));
    query.set('signature', signatureOf(secret, claim).toString('base64url'));
    return {
      url: `${this.address.url}${UPLOAD_PATH}/${grant.imageId}?${query.toString()}`,
      headers: {
        ...(contentType === null ? {} : { 'Content-Type': contentType }),
        ...(contentLength === null ? {} : { 'Content-Length': String(contentLength) }),
      },
    };
  }

  /**
   * The claim of a valid address; its expiry is not checked here.
   * `upload.signature`: as a bad request where the signature is missing, else forbidden.
   */
  async verify(imageId: string, query: UploadQuery): Promise<UploadClaim> {
    if (NEEDED.some((name) => query[name] === undefined || query[name] === ''))
      throw new SuturaError('upload.signature', { kind: 'bad_request' });
    const claim = readClaim(imageId, query);
    const version = readWholeNumber(query['version']);
    const known = await this.secrets.find(SECRET_NAME, version);
    const given = Buffer.from(readText(query['signature']), 'base64url');
    const expected = known === null ? null : signatureOf(known.secret, claim);
    if (expected === null || given.length !== expected.length || !timingSafeEqual(given, expected)) throw forged();
    return claim;
  }
}

function readClaim(imageId: string, query: UploadQuery): UploadClaim {
  // Anything added to the address is refused, too: only signed parts may be there.
  if (Object.keys(query).some((name) => !NEEDED.includes(name) && !OPTIONAL.includes(name))) throw forged();
  return {
    imageId,
    expiresMs: readWholeNumber(query['expiresMs']),
    maxBytes: readWholeNumber(query['maxBytes']),
    contentType: query['contentType'] === undefined ? null : readText(query['contentType']),
    contentLength: query['contentLength'] === undefined ? null : readWholeNumber(query['contentLength']),
  };
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw forged();
  return value;
}

function readWholeNumber(value: unknown): number {
  const text = readText(value);
  if (!WHOLE_NUMBER.test(text)) throw forged();
  return Number(text);
}

function signatureOf(secret: Uint8Array, claim: UploadClaim): Buffer {
  return createHmac('sha256', secret).update(signedText(claim), 'utf8').digest();
}

function forged(): SuturaError {
  return new SuturaError('upload.signature');
}
