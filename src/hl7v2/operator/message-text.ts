import { decodeMessage } from '../er7/decode-message.js';

/** A message as text: by its own character set; bytes that it has no character for are shown as ISO 8859-1. */
export function textOf(bytes: Buffer): string {
  const decoded = decodeMessage(bytes, { characterSet: null });
  return decoded.kind === 'message'
    ? decoded.message.segments.map(({ raw }) => `${raw}\r`).join('')
    : bytes.toString('latin1');
}
