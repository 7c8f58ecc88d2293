import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte: bytes from here on are thrown away, so that every character is equally likely. */
const FAIR_BYTES = 248;

/** `value` in base 62, padded with zeros to `length` characters. */
export function toBase62(value: number, length: number): string {
  let rest = value;
  let text = '';
  while (text.length < length) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
