import { messageNumbers } from '../er7/message-numbers.js';
import type { MessageEncryption } from './message-encryption.js';

/** The terms that a message is found by: its numbers of patients and orders. */
export function messageTerms({ terms }: MessageEncryption, bytes: Buffer): Buffer[] {
  const { patients, orders } = messageNumbers(bytes);
  return [...terms.of('patient', patients), ...terms.of('order', orders)];
}
