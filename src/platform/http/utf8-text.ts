import { isAscii } from 'node:buffer';
import { SuturaError } from '../../core/errors/sutura-error.js';

/** `request.invalid` for bytes that are no UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  // Most bodies are valid, and then no character needs to be looked for.
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

/** Without the byte order mark, as TextDecoder reads it. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

export function notUtf8(): SuturaError {
  return new SuturaError('request.invalid', {
    detail: 'The body is not valid UTF-8. Encode it as UTF-8 and send it again.',
  });
}
