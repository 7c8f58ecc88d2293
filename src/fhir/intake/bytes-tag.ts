import { createHash } from 'node:crypto';

/** Strong entity tag of bytes: the same bytes, the same tag. */
export function tagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('hex')}"`;
}
