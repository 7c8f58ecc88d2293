import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { FINGERPRINT_BYTES, KEY_BYTES, KEY_ID_BYTES, type EncryptionKey, type KeyRing } from './key-ring.js';

const GENERATION_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const NAMED_BYTES = KEY_ID_BYTES + FINGERPRINT_BYTES + GENERATION_BYTES;
const IV_END = NAMED_BYTES + IV_BYTES;
const KEY_END = IV_END + KEY_BYTES;
const ALGORITHM = 'aes-256-gcm';

/** Key id, fingerprint, generation (big endian), IV, the encrypted data key, tag. */
export const WRAPPED_KEY_BYTES = KEY_END + TAG_BYTES;

/** What a wrapped key says of itself in the clear. */
export interface WrappedKey {
  readonly keyId: string;
  readonly fingerprint: Buffer;
  /** Rises with each wrapping of the same data key. */
  readonly generation: number;
}

/** `binding` says what the data key is of; it is unwrapped for that alone. */
export function wrapKey(by: EncryptionKey, dataKey: Buffer, binding: string, generation: number): Buffer {
  const named = Buffer.alloc(NAMED_BYTES);
  named.write(by.id, 'latin1');
  by.fingerprint.copy(named, KEY_ID_BYTES);
  named.writeUInt32BE(generation, NAMED_BYTES - GENERATION_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, by.key, iv).setAAD(Buffer.concat([named, Buffer.from(binding)]));
  const text = Buffer.concat([cipher.update(dataKey), cipher.final()]);
  return Buffer.concat([named, iv, text, cipher.getAuthTag()]);
}

/** null: empty, all zeros. */
export function readWrappedKey(bytes: Buffer): WrappedKey | null {
  const generation = bytes.readUInt32BE(NAMED_BYTES - GENERATION_BYTES);
  if (generation === 0) return null;
  return {
    keyId: bytes.toString('latin1', 0, KEY_ID_BYTES).replace(/\0+$/, ''),
    fingerprint: bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + FINGERPRINT_BYTES),
    generation,
  };
}

/** `storage.key_missing`: no key of the ring wrapped it; `storage.altered`: altered, or bound to something else. */
export function unwrapKey(ring: KeyRing, bytes: Buffer, binding: string): Buffer {
  const wrapped = bytes.length === WRAPPED_KEY_BYTES ? readWrappedKey(bytes) : null;
  if (wrapped === null) throw new SuturaError('storage.altered');
  const by = ring.find(wrapped.keyId, wrapped.fingerprint);
  if (by === 'missing' || by === 'other') throw keyMissing(wrapped.keyId, by);
  const aad = Buffer.concat([bytes.subarray(0, NAMED_BYTES), Buffer.from(binding)]);
  const decipher = createDecipheriv(ALGORITHM, by.key, bytes.subarray(NAMED_BYTES, IV_END), {
    authTagLength: TAG_BYTES,
  }).setAAD(aad);
  decipher.setAuthTag(bytes.subarray(KEY_END));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_END, KEY_END)), decipher.final()]);
  } catch {
    throw new SuturaError('storage.altered');
  }
}

/** Names no id that this service would not make: it comes from bytes that may have been altered. */
function keyMissing(keyId: string, how: 'missing' | 'other'): SuturaError {
  const named = /^[a-z0-9-]+$/.test(keyId) ? `"${keyId}"` : 'that wrapped it';
  return new SuturaError('storage.key_missing', {
    detail:
      how === 'missing'
        ? `The key ${named} is not in the key file. The operator has to put it back.`
        : `The key file has another key under the id ${named} than the one that encrypted this. The operator has to put the right one back.`,
  });
}
