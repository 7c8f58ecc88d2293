import type { OtherProtocol } from './mllp-handler.js';

/** A TLS record of a handshake, of version 3.x, that begins a ClientHello (RFC 8446 5.1). */
const TLS_HANDSHAKE = [0x16, 0x03];
const HTTP_REQUEST = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|PRI) /;
/** What OpenSSL says of bytes that are no TLS record, and of those of HTTP. */
const NO_TLS: readonly string[] = [
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_HTTPS_PROXY_REQUEST',
];

/** The protocol that the first bytes of a connection without TLS begin; null: MLLP, or nothing that is known. */
export function protocolOf(beginning: Buffer): OtherProtocol | null {
  if (TLS_HANDSHAKE.every((byte, at) => beginning[at] === byte)) return 'tls';
  return HTTP_REQUEST.test(beginning.toString('latin1', 0, 8)) ? 'http' : null;
}

/** Whether a handshake failed because the peer speaks no TLS, by the code of its fault. */
export function isWithoutTls(code: string | null): boolean {
  return code !== null && NO_TLS.includes(code);
}
