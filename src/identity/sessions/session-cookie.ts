import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { readCookie } from '../../platform/http/cookie.js';

/** What a browser must send with a change: `csrfToken` of the answer to the login. */
export const CSRF_HEADER = 'x-csrf-token';
const SAFE_METHODS = ['GET', 'HEAD'];
const OWN_SITES = ['same-origin', 'none'];

type Asked = Pick<FastifyRequest, 'headers' | 'protocol' | 'host' | 'method'>;

/** True where the browser speaks https, to this server or to the proxy before it. */
export function isSecure({ protocol }: Pick<FastifyRequest, 'protocol'>, publicUrl: string): boolean {
  return protocol === 'https' || publicUrl.startsWith('https:');
}

/** Under https the name itself keeps other hosts of the domain from setting it (RFC 6265bis 4.1.3.2). */
function nameOf(secure: boolean): string {
  return secure ? '__Host-sutura-session' : 'sutura-session';
}

/** The browser's session cookie; null: none, or two, of which one was planted. */
export function readSessionCookie({ headers }: Pick<FastifyRequest, 'headers'>, secure: boolean): string | null {
  return readCookie(headers, nameOf(secure));
}

/** `Set-Cookie` of a login, or with null of a logout. It ends with the browser, if the session does not end before. */
export function sessionCookie(text: string | null, secure: boolean): string {
  const value = `${nameOf(secure)}=${text ?? ''}`;
  return [
    value,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
    ...(text === null ? ['Max-Age=0'] : []),
  ].join('; ');
}

/** Belongs to one session, and is of no use without its cookie. */
export function csrfTokenOf(session: string): string {
  return createHash('sha256').update(`csrf\n${session}`, 'utf8').digest('base64url');
}

/** `auth.csrf` for a request that another site's page made, as far as the browser says so. */
export function requireOwnSite({ headers, protocol, host }: Asked, publicUrl: string): void {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const own = [new URL(publicUrl).origin, `${protocol}://${host}`];
  if ((origin !== undefined && !own.includes(origin)) || (site !== undefined && !OWN_SITES.includes(String(site))))
    throw new SuturaError('auth.csrf', {
      detail: 'The request was made by the page of another site, and was not carried out.',
    });
}

/** `auth.csrf` for a change without the token of its session. */
export function requireCsrfToken({ headers, method }: Asked, session: string): void {
  if (SAFE_METHODS.includes(method)) return;
  const sent = Buffer.from(String(headers[CSRF_HEADER] ?? ''), 'utf8');
  const expected = Buffer.from(csrfTokenOf(session), 'utf8');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) throw new SuturaError('auth.csrf');
}
