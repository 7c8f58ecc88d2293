import type { FastifyRequest } from 'fastify';
import { readCookie } from '../../platform/http/cookie.js';

const LIFE_S = 600;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const FRAMES = ['iframe', 'frame', 'embed', 'object'];

/** Under https the name itself keeps other hosts of the domain from planting it (RFC 6265bis 4.1.3.2). */
function nameOf(secure: boolean): string {
  return secure ? '__Host-sutura-launch' : 'sutura-launch';
}

/**
 * Binds a launch to the browser that was sent out with it. It comes back with a navigation from the EHR's site, so it cannot be Strict; it opens nothing by itself. In a frame
 * it is kept apart for the site around it (CHIPS), as the cookie of the desk, so that where it comes back the desk's will, too.
 */
export function launchCookie(
  secret: string,
  { secure, framed }: { readonly secure: boolean; readonly framed: boolean },
): string {
  const inFrame = framed && secure;
  return [
    `${nameOf(secure)}=${secret}`,
    'Path=/',
    `Max-Age=${LIFE_S}`,
    'HttpOnly',
    inFrame ? 'SameSite=None' : 'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...(inFrame ? ['Partitioned'] : []),
  ].join('; ');
}

/** The secret of this browser; null: none, two, or none of ours. */
export function readLaunchCookie({ headers }: Pick<FastifyRequest, 'headers'>, secure: boolean): string | null {
  const held = readCookie(headers, nameOf(secure));
  return held !== null && SECRET.test(held) ? held : null;
}

/** True where the browser says that the page is to stand within another. */
export function isInFrame({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return FRAMES.includes(String(headers['sec-fetch-dest'] ?? ''));
}
