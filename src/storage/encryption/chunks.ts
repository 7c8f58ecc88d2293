import { createCipheriv, createDecipheriv } from 'node:crypto';
import { SuturaError } from '../../core/errors/sutura-error.js';

/** Of plain text. */
export const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const IV_BYTES = 12;
const INDEX_AT = 7;
const LAST_AT = 11;
const ALGORITHM = 'aes-256-gcm';

/**
 * The nonce of a chunk is its place: seven zeros, its index, and whether it is the last (the STREAM construction). A data
 * key encrypts one object and never another, so no nonce is used twice, and chunks that are left out, repeated or in
 * another order are found.
 */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(IV_BYTES);
  nonce.writeUInt32BE(index, INDEX_AT);
  nonce[LAST_AT] = isLast ? 1 : 0;
  return nonce;
}

/**
 * Encrypts an object as its bytes come. Holds at most one chunk, and copies nothing: buffers are memory outside the heap,
 * which only a long collection frees, and that costs more than the encryption. So what it was given must stay as it is
 * until the chunk that it belongs to came back encrypted.
 */
export class ChunkSealer {
  private index = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;

  constructor(private readonly dataKey: Buffer) {}

  /** What can be written now. */
  update(bytes: Uint8Array): Buffer[] {
    const sealed: Buffer[] = [];
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // A whole chunk is held until more comes: it may be the last.
    while (this.heldBytes + rest.length > CHUNK_BYTES) {
      const room = CHUNK_BYTES - this.heldBytes;
      sealed.push(...this.seal([...this.held, rest.subarray(0, room)], false));
      rest = rest.subarray(room);
      this.held = [];
      this.heldBytes = 0;
    }
    if (rest.length > 0) this.held.push(rest);
    this.heldBytes += rest.length;
    return sealed;
  }

  /** The last chunk, empty only in an empty object. */
  end(): Buffer[] {
    return this.seal(this.held, true);
  }

  private seal(parts: readonly Buffer[], isLast: boolean): Buffer[] {
    const cipher = createCipheriv(ALGORITHM, this.dataKey, nonceOf(this.index, isLast));
    this.index += 1;
    const text = parts.map((part) => cipher.update(part));
    cipher.final();
    return [...text, cipher.getAuthTag()];
  }
}

/** Length of an object's chunks when encrypted. */
export function sealedBytesOf(plainBytes: number): number {
  return plainBytes + TAG_BYTES * Math.max(1, Math.ceil(plainBytes / CHUNK_BYTES));
}

/** Length of the plain text. `storage.altered`: no object has chunks of this length. */
export function plainBytesOf(sealedBytes: number): number {
  const chunks = Math.max(1, Math.ceil(sealedBytes / SEALED_CHUNK_BYTES));
  const plainBytes = sealedBytes - TAG_BYTES * chunks;
  if (plainBytes < 0 || sealedBytesOf(plainBytes) !== sealedBytes) throw new SuturaError('storage.altered');
  return plainBytes;
}

/** Decrypts one chunk. `storage.altered`: it is not the chunk of this place. */
export function openChunk(dataKey: Buffer, sealed: Buffer, index: number, isLast: boolean): Buffer {
  const decipher = createDecipheriv(ALGORITHM, dataKey, nonceOf(index, isLast), { authTagLength: TAG_BYTES });
  const end = sealed.length - TAG_BYTES;
  decipher.setAuthTag(sealed.subarray(end));
  try {
    const text = decipher.update(sealed.subarray(0, end));
    decipher.final();
    return text;
  } catch {
    throw new SuturaError('storage.altered');
  }
}
