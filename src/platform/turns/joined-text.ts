import type { Paced } from './turns.js';

/** Up to this length the engine joins in a millisecond or two. */
const SHORT = 1024 * 1024;
const WIDE = /[^\u0000-\u00ff]/;

/** The pieces as one text. The engine joins tens of megabytes in one step, several times longer than bytes are decoded in. */
export function* joined(pieces: readonly string[]): Paced<string> {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  if (pieces.length === 1 || length <= SHORT) return pieces.join('');
  let isWide = false;
  for (const piece of pieces) {
    isWide ||= WIDE.test(piece);
    yield;
  }
  const encoding = isWide ? 'utf16le' : 'latin1';
  const bytes = Buffer.allocUnsafeSlow(length * (isWide ? 2 : 1));
  let filled = 0;
  for (const piece of pieces) {
    filled += bytes.write(piece, filled, encoding);
    yield;
  }
  return bytes.toString(encoding);
}
