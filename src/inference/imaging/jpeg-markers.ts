import { PIECE, type Paced } from '../../platform/turns/turns.js';

const MARKER = 0xff;

/**
 * Where the next marker of a JPEG begins that has a segment, or ends the picture (ITU-T T.81, B.1.1); the length where there is none. Junk before it
 * is passed, in turns: it may be megabytes.
 */
export function* nextMarker(bytes: Uint8Array, from: number): Paced<number> {
  for (let start = from; start + 1 < bytes.byteLength; start += PIECE) {
    const found = markerIn(bytes, start, Math.min(start + PIECE, bytes.byteLength - 1));
    if (found !== null) return found;
    yield;
  }
  return bytes.byteLength;
}

function markerIn(bytes: Uint8Array, from: number, end: number): number | null {
  for (let at = from; at < end; at += 1) {
    if (bytes[at] !== MARKER) continue;
    const code = bytes[at + 1]!;
    const isRestart = code >= 0xd0 && code <= 0xd7;
    // Stuffed, fill, and those without a segment: TEM, RSTn, SOI.
    if (code !== 0 && code !== MARKER && code !== 0x01 && code !== 0xd8 && !isRestart) return at;
  }
  return null;
}
