import type { FastifyRequest } from 'fastify';
import { DEVICE_LIFE_S } from '../../core/users/login-devices.js';
import { readCookie } from '../../platform/http/cookie.js';

const TEXT = /^[\w-]{43}$/;

/** Under https the name itself keeps other hosts of the domain from setting it, as of the session's cookie. */
function nameOf(secure: boolean): string {
  return secure ? '__Host-sutura-device' : 'sutura-device';
}

/** By which a browser is known; null: none, two, or what was never given out. */
export function readDeviceCookie({ headers }: Pick<FastifyRequest, 'headers'>, secure: boolean): string | null {
  const text = readCookie(headers, nameOf(secure));
  return text !== null && TEXT.test(text) ? text : null;
}

/** `Set-Cookie` of a login: it stays in the browser after a logout, and opens nothing. */
export function deviceCookie(text: string, secure: boolean): string {
  const attributes = [
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${DEVICE_LIFE_S}`,
    ...(secure ? ['Secure'] : []),
  ];
  return [`${nameOf(secure)}=${text}`, ...attributes].join('; ');
}
