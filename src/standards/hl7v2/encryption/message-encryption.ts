import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { InstallationKey } from '../../../platform/database/installation-key.js';
import { Settings } from '../../../platform/config/settings.js';
import { SearchTerms } from './search-terms.js';

/** The first byte of stored content. */
const PLAIN = 0;
const SEALED = 1;
/** Sealed after it was deflated: nobody can compress it any more once it is sealed. */
const SEALED_DEFLATED = 2;
/** A shorter text gains nothing; a longer one has pictures in it, which are compressed already, and would hold up others. */
const DEFLATED_FROM_BYTES = 256;
const DEFLATED_TO_BYTES = 64 * 1024;
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
    const { mark, content } = shortened(bytes);
    const cipher = createCipheriv('aes-256-gcm', first.key, iv).setAAD(boundTo(mark, row));
    const text = [cipher.update(content), cipher.final()];
    return Buffer.concat([Buffer.from([mark]), first.id, iv, cipher.getAuthTag(), ...text]);
  }

  /** Whether a configured key decrypts content with this beginning. */
  hasKeyOf(head: Buffer): boolean {
    return head[0] === PLAIN || this.keyOf(head) !== undefined;
  }

  /** The beginnings of sealed content that configured keys decrypt. */
  heads(): Buffer[] {
    return this.keys.flatMap(({ id }) =>
      [SEALED, SEALED_DEFLATED].map((mark) => Buffer.concat([Buffer.from([mark]), id])),
    );
  }

  /** `hl7.sealed` where no configured key decrypts it. */
  open(stored: Buffer, row: string): Buffer {
    const known = this.keyOf(stored);
    // No text begins with the id of a key: what does was sealed, and its first byte was altered.
    if (stored[0] === PLAIN && known === undefined) return stored.subarray(1);
    const mark = stored[0];
    if (known === undefined || stored.length < HEAD_BYTES || (mark !== SEALED && mark !== SEALED_DEFLATED))
      throw new SuturaError('hl7.sealed');
    const iv = stored.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', known.key, iv, { authTagLength: TAG_BYTES }).setAAD(
      boundTo(mark, row),
    );
    decipher.setAuthTag(stored.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES));
    try {
      const content = Buffer.concat([decipher.update(stored.subarray(HEAD_BYTES)), decipher.final()]);
      return mark === SEALED ? content : inflateRawSync(content, { maxOutputLength: DEFLATED_TO_BYTES });
    } catch {
      throw new SuturaError('hl7.sealed');
    }
  }

  private keyOf(head: Buffer): { readonly key: Buffer } | undefined {
    const id = head.subarray(1, SEAL_HEAD_BYTES);
    return this.keys.find((key) => key.id.equals(id));
  }
}

/** Bytes as they are sealed: deflated where that makes them shorter. */
function shortened(bytes: Uint8Array): { readonly mark: number; readonly content: Uint8Array } {
  if (bytes.length >= DEFLATED_FROM_BYTES && bytes.length <= DEFLATED_TO_BYTES) {
    const content = deflateRawSync(bytes);
    if (content.length < bytes.length) return { mark: SEALED_DEFLATED, content };
  }
  return { mark: SEALED, content: bytes };
}

/** The row, and how its content is to be read: neither can be altered. */
function boundTo(mark: number, row: string): Buffer {
  return Buffer.from(mark === SEALED ? row : `deflated ${row}`);
}

function plain(bytes: Uint8Array): Buffer {
  const stored = Buffer.allocUnsafe(bytes.length + 1);
  stored[0] = PLAIN;
  stored.set(bytes, 1);
  return stored;
}
