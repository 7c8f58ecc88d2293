import { createHash } from 'node:crypto';

/** A UUID that follows from the parts: the same whoever makes it and however often (version 8, RFC 9562). */
export function stableId(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join(' ')).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
