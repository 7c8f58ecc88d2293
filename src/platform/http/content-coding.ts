/** How a body is packed (RFC 9110 8.4.1). */
export type ContentCoding = 'identity' | 'gzip';

/** What bodies of requests may be packed by, as `Accept-Encoding` of a refusal says it (RFC 9110 12.5.3). */
export const TAKEN_CODINGS = 'gzip, identity';

/** Of a `Content-Encoding`; null: one that is not taken, or several on top of each other. */
export function codingOf(contentEncoding: string | undefined): ContentCoding | null {
  const name = (contentEncoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return 'identity';
  return name === 'gzip' || name === 'x-gzip' ? 'gzip' : null;
}

/** Whether an answer may be packed by gzip, and whoever asks does not like it better as it is (RFC 9110 12.5.3). */
export function wantsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  const qualities = new Map(acceptEncoding.split(',').map(parseWish));
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0;
  return gzip > 0 && gzip >= (qualities.get('identity') ?? 0);
}

function parseWish(text: string): [coding: string, quality: number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, quality === undefined ? 1 : Number(quality.slice(2))];
}
