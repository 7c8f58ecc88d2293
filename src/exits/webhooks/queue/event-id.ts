import { createHash } from 'node:crypto';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';

/** The id of an event: the same whoever makes it and however often (a UUID of version 8, RFC 9562). */
export function eventIdOf(type: WebhookEventType, ...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256')
    .update([type, ...parts].join(' '))
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
