import { messageNumbers } from '../er7/index.js';
import type { MessageVault } from './message-encryption.js';

/** The terms that a message is found by: its numbers of patients and orders. */
export function messageTerms({ terms }: MessageVault, bytes: Buffer): Buffer[] {
  const { patients, orders } = messageNumbers(bytes);
  return [...terms.of('patient', patients), ...terms.of('order', orders)];
}
