import { loadTools } from './platform.js';

/** The header that makes a repeat harmless: under the caller's own key, or under a new one that stays for all attempts of a call. */
export async function keyHeader(given: string | undefined): Promise<Record<string, string>> {
  const key = given ?? (await newKey());
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters.');
  return { 'idempotency-key': key };
}

async function newKey(): Promise<string> {
  return globalThis.crypto?.randomUUID?.() ?? (await loadTools()).randomUUID();
}
