import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../core/tenancy/tenant.js';

/** Contract, Authentication: prefix, 32 random characters (190 bits), 6 characters of CRC32 over everything before. */
export const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const WELL_FORMED = /^sut_(?:test|live)_[0-9A-Za-z]{38}$/;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte. Larger bytes are thrown away, so that every character is equally likely. */
const FAIR_BYTES = 248;

export function composeKeyText(environment: Environment, random: string): string {
  const body = `sut_${environment}_${random}`;
  return body + checksumOf(body);
}

/** True if the text can be a key. Finds every single mistyped character without a look-up in the database. */
export function isKeyText(text: string): boolean {
  if (!WELL_FORMED.test(text)) return false;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The digest that is stored in place of a key. A fast hash is enough, as the text has 190 random bits. */
export function digestOfKey(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

function checksumOf(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}

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
