import { digesting } from '../../../platform/turns/digest.js';
import { atOnce, type Paced } from '../../../platform/turns/turns.js';
import { headerRange } from './message-header.js';

const SENT_AT = 7;

/** SHA-256 of a message without MSH-7: a resend may carry a new time and is still the same message. */
export function digestingContent(bytes: Uint8Array): Paced<Buffer> {
  const { start, end } = sentAtRange(bytes);
  return digesting('sha256', bytes.subarray(0, start), bytes.subarray(end));
}

/** `digestingContent` at once. */
export function contentDigest(bytes: Uint8Array): Buffer {
  return atOnce(digestingContent(bytes));
}

/** The range of MSH-7 in the bytes; an empty range at the end where there is none. */
function sentAtRange(bytes: Uint8Array): { readonly start: number; readonly end: number } {
  const header = headerRange(bytes);
  const separator = bytes[header.start + 3];
  // The separator after `MSH` is MSH-1 itself; the field after the next one is MSH-3.
  let position = 2;
  let start = header.start + 4;
  for (let at = start; at <= header.end; at += 1) {
    if (at < header.end && bytes[at] !== separator) continue;
    if (position === SENT_AT) return { start, end: at };
    position += 1;
    start = at + 1;
  }
  return { start: bytes.length, end: bytes.length };
}
