import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer +([^\s]+) *$/i;

/**
 * The key as sent: `Authorization: Bearer <key>` or `X-API-Key: <key>`, never from the address; null without one.
 * Another scheme in Authorization counts as a wrong key unless X-API-Key carries one.
 */
export function readCredential(headers: IncomingHttpHeaders): string | null {
  const { authorization } = headers;
  const apiKey = headers['x-api-key'];
  if (typeof apiKey === 'string' && authorization === undefined) return apiKey.trim();
  if (authorization === undefined) return null;
  return BEARER.exec(authorization)?.[1] ?? (typeof apiKey === 'string' ? apiKey.trim() : authorization);
}
