import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +([^\s]+) *$/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+=*) *$/i;

/**
 * The key as sent: `Authorization: Bearer <key>` or `X-API-Key: <key>`, never from the address; null without one.
 * Another scheme in Authorization counts as a wrong key unless X-API-Key carries one.
 * `takesBasic`: the password of HTTP Basic authentication (RFC 7617) is a key, too, whatever the user name.
 */
export function readCredential(headers: IncomingHttpHeaders, { takesBasic = false } = {}): string | null {
  const { authorization } = headers;
  const apiKey = headers['x-api-key'];
  if (typeof apiKey === 'string' && authorization === undefined) return apiKey.trim();
  if (authorization === undefined) return null;
  const password = takesBasic ? passwordIn(authorization) : null;
  return password ?? BEARER.exec(authorization)?.[1] ?? (typeof apiKey === 'string' ? apiKey.trim() : authorization);
}

/** null: another scheme. Without a colon, which no key has, all of it is the password. */
function passwordIn(authorization: string): string | null {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1).trim();
}
