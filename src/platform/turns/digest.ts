import { createHash } from 'node:crypto';
import { inTurns, type Paced } from './turns.js';

/** Bytes hashed at once: a millisecond or two. */
const SLICE = 1024 * 1024;

/** The digest of bytes, one piece after another. */
export function* digesting(algorithm: 'sha1' | 'sha256', ...parts: readonly Uint8Array[]): Paced<Buffer> {
  const hash = createHash(algorithm);
  for (const bytes of parts) {
    for (let from = 0; from < bytes.length; from += SLICE) {
      hash.update(bytes.subarray(from, from + SLICE));
      yield;
    }
  }
  return hash.digest();
}

/** The digest of bytes that may be many megabytes: others have their turn meanwhile. */
export function digestOf(algorithm: 'sha1' | 'sha256', bytes: Uint8Array): Promise<Buffer> {
  return inTurns(digesting(algorithm, bytes));
}
