import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** About a millisecond of hashing. */
const SLICE_CHARS = 512 * 1024;

/**
 * SHA-256 (hex) of a JSON value, the same for every order of keys. A Bundle has up to 64 MiB, so that it is hashed in slices
 * with turns of the event loop between them.
 */
export async function digestOf(value: unknown): Promise<string> {
  const hash = createHash('sha256');
  let pending = 0;
  for (const piece of piecesOf(value)) {
    update(hash, piece);
    pending += piece.length + 1;
    if (pending < SLICE_CHARS) continue;
    pending = 0;
    await nextTurn();
  }
  return hash.digest('hex');
}

function update(hash: Hash, piece: string): void {
  // A slice may end within a character outside the BMP.
  hash.update(piece, 'utf16le');
}

/** Lengths stand before strings and counts before lists and objects, so that no two values have the same pieces. */
function* piecesOf(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield `s${value.length}:`;
    for (let at = 0; at < value.length; at += SLICE_CHARS) yield value.slice(at, at + SLICE_CHARS);
  } else if (Array.isArray(value)) {
    yield `a${value.length}:`;
    for (const item of value) yield* piecesOf(item);
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).sort();
    yield `o${keys.length}:`;
    for (const key of keys) {
      yield `k${key.length}:${key}`;
      yield* piecesOf((value as Record<string, unknown>)[key]);
    }
  } else {
    yield `v${String(value)};`;
  }
}
