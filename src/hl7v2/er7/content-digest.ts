import { createHash } from 'node:crypto';
import { headerRange } from './message-header.js';

const SENT_AT = 7;

/** SHA-256 of a message with MSH-7 left out: a repeated message may carry a new time and is still the same. */
export function contentDigest(bytes: Uint8Array): Buffer {
  const { start, end } = sentAtRange(bytes);
  return createHash('sha256').update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest();
}

/** Where the bytes of MSH-7 lie; an empty range at the end where there are none. */
function sentAtRange(bytes: Uint8Array): { readonly start: number; readonly end: number } {
  const header = headerRange(bytes);
  const separator = bytes[header.start + 3];
  // The separator behind `MSH` is MSH-1: the one after that is followed by MSH-3.
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
