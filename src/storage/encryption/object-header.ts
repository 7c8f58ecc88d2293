import { readWrappedKey, WRAPPED_KEY_BYTES, type WrappedKey } from '../../platform/encryption/wrapped-key.js';

/** `SUTURA`, a zero, and the version of the form. No photo, picture or document begins so. */
export const MAGIC = Buffer.from('SUTURA\0\x01', 'latin1');
const PLACES = 2;
/** The magic and two places for the wrapped data key: a newer wrapping is written beside the older one. */
export const HEADER_BYTES = MAGIC.length + PLACES * WRAPPED_KEY_BYTES;

export interface WrappedPlace {
  readonly at: number;
  readonly bytes: Buffer;
  readonly wrapped: WrappedKey;
}

export function headerOf(wrapped: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  wrapped.copy(header, MAGIC.length);
  return header;
}

/**
 * What the first bytes of an object say. `altered`: they are the beginning of a header and no more; or all but one byte
 * of its first eight are there, so it was encrypted, by a later release, or altered since.
 */
export function formOf(head: Buffer): 'plain' | 'encrypted' | 'altered' {
  const shared = head.subarray(0, MAGIC.length);
  const others = shared.filter((byte, at) => byte !== MAGIC[at]).length;
  if (head.length >= HEADER_BYTES && others === 0) return 'encrypted';
  if (others === 0) return 'altered';
  return shared.length === MAGIC.length && others === 1 ? 'altered' : 'plain';
}

/** The wrapped keys of a header, the newest first. */
export function wrappedKeysOf(header: Buffer): WrappedPlace[] {
  return Array.from({ length: PLACES }, (_, place) => {
    const at = MAGIC.length + place * WRAPPED_KEY_BYTES;
    const bytes = header.subarray(at, at + WRAPPED_KEY_BYTES);
    return { at, bytes, wrapped: readWrappedKey(bytes) };
  })
    .filter((place): place is WrappedPlace => place.wrapped !== null)
    .sort((a, b) => b.wrapped.generation - a.wrapped.generation);
}

/** Where the next wrapping goes: the place that does not hold `newest`. */
export function otherPlace(newest: WrappedPlace): number {
  return newest.at === MAGIC.length ? MAGIC.length + WRAPPED_KEY_BYTES : MAGIC.length;
}
