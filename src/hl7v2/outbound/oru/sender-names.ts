import { SUTURA } from '../../../reports/index.js';

/** Under which names of senders, that say nothing of where they are unique, are kept as URIs. */
export const AUTHORITIES = `${SUTURA}/sid/hl7v2-authority/`;
export const CODING_SYSTEMS = `${SUTURA}/sid/hl7v2-codes/`;

/** The name as the sender wrote it; null: the URI is no such name. */
export function namedBySender(uri: string, prefix: typeof AUTHORITIES | typeof CODING_SYSTEMS): string | null {
  if (!uri.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    return null;
  }
}
