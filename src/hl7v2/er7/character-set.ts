/** What MSH-18 may say, by what can be done about it. */
export type CharacterSetVerdict = { readonly kind: 'known'; readonly encoding: string } | { readonly kind: 'unsupported' | 'unknown' };

/** Text of MSH-18 (one repetition, not empty) to an encoding. `unsupported` (UTF-16, UTF-32) is AR 207, `unknown` AR 103. */
export function findCharacterSet(_name: string): CharacterSetVerdict {
  throw new Error('being written');
}

/** null: bytes that the encoding has no character for. Encodings are those of findCharacterSet. */
export function decodeText(_bytes: Uint8Array, _encoding: string): string | null {
  throw new Error('being written');
}

/** Characters that the set of MSH-18 (empty: ASCII) lacks are written as `?`; a set that is not known, as UTF-8. */
export function encodeText(_text: string, _characterSet: string): Buffer {
  throw new Error('being written');
}
