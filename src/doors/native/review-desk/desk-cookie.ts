import type { FastifyRequest } from 'fastify';
import { readCookie } from '../../../platform/http/cookie.js';

const PATH = '/review/api/v1/';

function nameOf(secure: boolean): string {
  return secure ? '__Secure-sutura-review' : 'sutura-review';
}

/**
 * `Set-Cookie` of a desk. Its path is that of its link, so that two desks of one browser have a cookie each and none acts for the other.
 * In a frame of another site it is kept apart for that site (CHIPS), which needs https.
 */
export function deskCookie(
  session: string | null,
  linkId: string,
  { secure, framed }: { readonly secure: boolean; readonly framed: boolean },
): string {
  const inFrame = framed && secure;
  return [
    `${nameOf(secure)}=${session ?? ''}`,
    `Path=${PATH}${linkId}`,
    'HttpOnly',
    inFrame ? 'SameSite=None' : 'SameSite=Strict',
    ...(secure ? ['Secure'] : []),
    ...(inFrame ? ['Partitioned'] : []),
    ...(session === null ? ['Max-Age=0'] : []),
  ].join('; ');
}

/** The browser's cookie for this link; null: none, or two, of which one was planted. */
export function readDeskCookie({ headers }: Pick<FastifyRequest, 'headers'>, secure: boolean): string | null {
  return readCookie(headers, nameOf(secure));
}
