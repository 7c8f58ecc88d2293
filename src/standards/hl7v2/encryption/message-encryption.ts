import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { InstallationKey } from '../../../platform/database/installation-key.js';
import { Settings } from '../../../platform/config/settings.js';
import { SearchTerms } from './search-terms.js';

/** The first byte of stored content. */
const PLAIN = 0;
const SEALED = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The first bytes of stored content, which name the key that decrypts it. */
export const SEAL_HEAD_BYTES = 1 + KEY_ID_BYTES;
const HEAD_BYTES = 1 + KEY_ID_BYTES + IV_BYTES + TAG_BYTES;

/**
 * Encryption of stored messages: AES-256-GCM by the first key of HL7_ENCRYPTION_KEY, else by the installation's key,
 * else none. `row` is the id of the row that holds the bytes; sealed bytes can be opened in that row alone.
 */
@Injectable()
export class MessageEncryption {
  /** The search terms that messages are found by. */
  readonly terms: SearchTerms;
  private readonly keys: readonly { readonly id: Buffer; readonly key: Buffer }[];
  private readonly seals: boolean;

  constructor({ hl7 }: Settings, installation?: InstallationKey) {
    const own = hl7.encryptionKeys ?? [];
    const shared = installation?.messageKey ?? null;
    this.keys = (shared === null ? own : [...own, shared]).map((key) => ({
      key,
      id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES),
    }));
    this.seals = own.length > 0 || installation?.seals === true;
    this.terms = new SearchTerms(this.keys.map(({ key }) => key));
  }

  seal(bytes: Uint8Array, row: string): Buffer {
    const first = this.keys[0];
    if (first === undefined || !this.seals) return plain(bytes);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', first.key, iv).setAAD(Buffer.from(row));
    const text = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([Buffer.from([SEALED]), first.id, iv, cipher.getAuthTag(), ...text]);
  }

  /** Whether a configured key decrypts content with this beginning. */
  hasKeyOf(head: Buffer): boolean {
    return head[0] === PLAIN || this.keyOf(head) !== undefined;
  }

  /** The beginnings of sealed content that configured keys decrypt. */
  heads(): Buffer[] {
    return this.keys.map(({ id }) => Buffer.concat([Buffer.from([SEALED]), id]));
  }

  /** `hl7.sealed` where no configured key decrypts it. */
  open(stored: Buffer, row: string): Buffer {
    const known = this.keyOf(stored);
    // No text begins with the id of a key: what does was sealed, and its first byte was altered.
    if (stored[0] === PLAIN && known === undefined) return stored.subarray(1);
    if (known === undefined || stored[0] !== SEALED || stored.length < HEAD_BYTES) throw new SuturaError('hl7.sealed');
    const iv = stored.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', known.key, iv, { authTagLength: TAG_BYTES }).setAAD(
      Buffer.from(row),
    );
    decipher.setAuthTag(stored.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES));
    try {
      return Buffer.concat([decipher.update(stored.subarray(HEAD_BYTES)), decipher.final()]);
    } catch {
      throw new SuturaError('hl7.sealed');
    }
  }

  private keyOf(head: Buffer): { readonly key: Buffer } | undefined {
    const id = head.subarray(1, SEAL_HEAD_BYTES);
    return this.keys.find((key) => key.id.equals(id));
  }
}

function plain(bytes: Uint8Array): Buffer {
  const stored = Buffer.allocUnsafe(bytes.length + 1);
  stored[0] = PLAIN;
  stored.set(bytes, 1);
  return stored;
}
