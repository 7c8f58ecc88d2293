import { createHmac, randomBytes } from 'node:crypto';

/** A key-encryption key of the operator. */
export interface EncryptionKey {
  /** Lower-case letters, digits and dashes, at most 24; stands in the header of what the key wraps. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
  /** 8 bytes that say nothing of the key: they tell two keys under one id apart. */
  readonly fingerprint: Buffer;
}

export const KEY_BYTES = 32;
export const KEY_ID_BYTES = 24;
export const FINGERPRINT_BYTES = 8;
const KEY_ID = /^[a-z0-9][a-z0-9-]{0,23}$/;
const PURPOSE = 'sutura key fingerprint';

export function encryptionKey(id: string, key: Buffer): EncryptionKey {
  const fingerprint = createHmac('sha256', key).update(PURPOSE).digest().subarray(0, FINGERPRINT_BYTES);
  return { id, key, fingerprint };
}

export const isKeyId = (text: string): boolean => KEY_ID.test(text);

/** `20261123-4f9a1c`: the day, and what tells keys of one day apart. */
export function newKeyId(now: Date): string {
  return `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`;
}

/** The keys of a process; the first wraps, all unwrap. */
export class KeyRing {
  constructor(readonly keys: readonly EncryptionKey[]) {}

  get current(): EncryptionKey | null {
    return this.keys[0] ?? null;
  }

  /** `missing`: no key has the id; `other`: one has it, and is another key. */
  find(id: string, fingerprint: Buffer): EncryptionKey | 'missing' | 'other' {
    const found = this.keys.find((key) => key.id === id);
    if (found === undefined) return 'missing';
    return found.fingerprint.equals(fingerprint) ? found : 'other';
  }
}
