import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { v7 } from 'uuid';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { URL_LIMIT } from './limits.js';
import type { RefusalFormats } from './refusal-formats.js';
import { REQUEST_ID_HEADER, SECURITY_HEADERS } from './request-rules.hook.js';

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Matches the start of a request line only, as a packet in the middle of a body says nothing. */
const TARGET = /^[A-Z]+ (\/\S*)/;
const LONG_TARGET = new RegExp(`^[A-Z]+ \\S{${URL_LIMIT},}`);

/**
 * Answers input that Node's HTTP parser refuses before there is a request. Writes straight to the socket and closes
 * it.
 */
export function answerClientError(error: ClientError, socket: Socket, formats: RefusalFormats): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(rawRefusal(refusalOf(error), targetOf(error), formats));
  socket.destroy(error);
}

function refusalOf(error: ClientError): SuturaError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new SuturaError('request.timeout');
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const longTarget = LONG_TARGET.test(error.rawPacket?.subarray(0, 2 * URL_LIMIT).toString('latin1') ?? '');
    return new SuturaError(longTarget ? 'request.uri_too_long' : 'request.headers_too_large');
  }
  return new SuturaError('request.invalid', {
    detail: 'This is not a valid HTTP request. Check the request line and the headers.',
  });
}

/** The start of the request target, as far as it was received; empty if unknown. */
function targetOf(error: ClientError): string {
  return TARGET.exec(error.rawPacket?.subarray(0, 2 * URL_LIMIT).toString('latin1') ?? '')?.[1] ?? '';
}

function rawRefusal(refusal: SuturaError, url: string, formats: RefusalFormats): string {
  const requestId = v7();
  const { status, headers: ownHeaders, body } = formats.render(refusal, { requestId, url });
  const headers = {
    ...SECURITY_HEADERS,
    ...ownHeaders,
    [REQUEST_ID_HEADER]: requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
