/** The content coding of a body (RFC 9110 8.4.1). */
export type ContentCoding = 'identity' | 'gzip';

/** The accepted codings of request bodies, as the `Accept-Encoding` of a refusal (RFC 9110 12.5.3). */
export const TAKEN_CODINGS = 'gzip, identity';

/** The coding of a `Content-Encoding`; null for one that is not accepted, or several. */
export function codingOf(contentEncoding: string | undefined): ContentCoding | null {
  const name = (contentEncoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return 'identity';
  return name === 'gzip' || name === 'x-gzip' ? 'gzip' : null;
}

/** True if the caller accepts gzip and does not prefer the answer as it is (RFC 9110 12.5.3). */
export function wantsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const qualities = new Map(acceptEncoding.split(',').map(parsePreference));
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0;
  return gzip > 0 && gzip >= (qualities.get('identity') ?? 0);
}

function parsePreference(text: string): [coding: string, quality: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, quality === undefined ? 1 : Number(quality.slice(2))];
}
