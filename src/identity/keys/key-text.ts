import { createHash } from 'node:crypto';
import type { Environment } from '../../core/tenancy/tenant.js';
import { toBase62 } from './base62.js';
import { crc32 } from './crc32.js';

/** Contract, Authentication: prefix, 32 random characters (190 bits), 6 characters of CRC32 over everything before. */
export const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const WELL_FORMED = /^sut_(?:test|live)_[0-9A-Za-z]{38}$/;

export function composeKeyText(environment: Environment, random: string): string {
  const body = `sut_${environment}_${random}`;
  return body + checksumOf(body);
}

/** True where the text can be a key at all. Every single mistyped character is found here, without a database look-up. */
export function isKeyText(text: string): boolean {
  if (!WELL_FORMED.test(text)) return false;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** What is stored in a key's place. A fast hash is enough: the text has 190 random bits. */
export function digestOfKey(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

function checksumOf(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}
