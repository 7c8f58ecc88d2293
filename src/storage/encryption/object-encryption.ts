import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { NO_KEYS, type EncryptionKeys } from '../../platform/encryption/encryption-keys.js';
import { KEY_BYTES } from '../../platform/encryption/key-ring.js';
import { wrapKey } from '../../platform/encryption/wrapped-key.js';
import { CHUNK_BYTES, ChunkSealer, openChunk, plainBytesOf, SEALED_CHUNK_BYTES } from './chunks.js';
import { formOf, HEADER_BYTES, headerOf, wrappedKeysOf, type WrappedPlace } from './object-header.js';

/** Chunks that are decrypted in one turn of the event loop: about a millisecond. */
const CHUNKS_A_TURN = 16;

/** An object that is being written. */
export interface ObjectSealer {
  readonly header: Buffer;
  update(bytes: Uint8Array): Buffer[];
  end(): Buffer[];
  /** The plain bytes of the file, once it is whole. */
  read(handle: FileHandle): Promise<Buffer>;
}

/** What a data key is of: objects cannot stand for each other. */
export const bindingOf = (objectKey: string): string => `object\0${objectKey}`;

/**
 * Encryption of objects at rest: each with a data key of its own, AES-256-GCM in chunks of 64 KiB, the data key wrapped
 * by the operator's key and bound to the object's name. Objects without a header are plain, as all were before.
 */
export class ObjectEncryption {
  constructor(private readonly keys: EncryptionKeys = NO_KEYS) {}

  /** null: the object is to be written as it is. */
  async begin(objectKey: string): Promise<ObjectSealer | null> {
    const by = await this.keys.current();
    if (by === null) {
      if (this.keys.mode === 'required') throw new SuturaError('storage.key_missing');
      return null;
    }
    const dataKey = randomBytes(KEY_BYTES);
    const sealer = new ChunkSealer(dataKey);
    return {
      header: headerOf(wrapKey(by, dataKey, bindingOf(objectKey), 1)),
      update: (bytes) => sealer.update(bytes),
      end: () => sealer.end(),
      read: async (handle) => openChunks(await readExactly(handle, (await handle.stat()).size, 0), dataKey),
    };
  }

  /**
   * The plain bytes of the file of an object; one chunk of it in memory besides. `image.too_large`, before reading on;
   * `storage.key_missing`, `storage.altered`.
   */
  async read(handle: FileHandle, objectKey: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
    const { size } = await handle.stat();
    // One call for all of it; of what may be too long the header alone.
    const read = await readExactly(handle, size <= maxBytes ? size : Math.min(size, HEADER_BYTES), 0);
    const head = headerIn(read);
    if (head === null) {
      const isEmptied = size === 0 && (await this.keys.current()) !== null;
      if (isEmptied || this.keys.mode === 'required') throw new SuturaError('storage.altered');
      if (size > maxBytes) throw new SuturaError('image.too_large');
      return read;
    }
    if (plainBytesOf(size - HEADER_BYTES) > maxBytes) throw new SuturaError('image.too_large');
    const { dataKey } = await openDataKey(this.keys, head, objectKey);
    return openChunks(read.length === size ? read : await readExactly(handle, size, 0), dataKey);
  }

  /**
   * The id of the key that opens an object, or, where none of this process does, of the one that it names; null of a
   * plain one. A wrapping that was torn while it was written names a key that is of no use. `storage.altered`.
   */
  async keyIdOf(handle: FileHandle, objectKey: string): Promise<string | null> {
    const header = await readHeader(handle);
    if (header === null) return null;
    try {
      return (await openDataKey(this.keys, header, objectKey)).place.wrapped.keyId;
    } catch (fault) {
      const [newest] = wrappedKeysOf(header);
      if (newest === undefined || !isSuturaError(fault, 'storage.key_missing')) throw fault;
      return newest.wrapped.keyId;
    }
  }
}

/**
 * The data key of an object, and the place of its newest wrapping that opens: a process may have ended while it wrote
 * one. `storage.key_missing`, `storage.altered`.
 */
export async function openDataKey(
  keys: EncryptionKeys,
  header: Buffer,
  objectKey: string,
): Promise<{ readonly dataKey: Buffer; readonly place: WrappedPlace }> {
  const refusals: unknown[] = [];
  for (const place of wrappedKeysOf(header))
    try {
      return { dataKey: await keys.unwrap(place.bytes, bindingOf(objectKey)), place };
    } catch (fault) {
      refusals.push(fault);
    }
  throw refusals[0] ?? new SuturaError('storage.altered');
}

/** The header of an encrypted object; null of a plain one. `storage.altered`: a part of one. */
export async function readHeader(handle: FileHandle): Promise<Buffer | null> {
  const { size } = await handle.stat();
  return headerIn(await readExactly(handle, Math.min(size, HEADER_BYTES), 0));
}

/** The header that the first bytes of an object are, or the whole of a shorter one; null of a plain one. `storage.altered`. */
function headerIn(bytes: Buffer): Buffer | null {
  const head = bytes.subarray(0, HEADER_BYTES);
  const form = formOf(head);
  if (form === 'altered' && head.length > 0) throw new SuturaError('storage.altered');
  return form === 'encrypted' ? head : null;
}

/**
 * The plain bytes of a whole file, in its own memory: each chunk takes its place before the end of what is not yet
 * decrypted. `storage.altered`.
 */
async function openChunks(file: Buffer, dataKey: Buffer): Promise<Buffer> {
  const bytes = file.subarray(HEADER_BYTES);
  const plainBytes = plainBytesOf(bytes.length);
  const chunks = Math.max(1, Math.ceil(bytes.length / SEALED_CHUNK_BYTES));
  for (let index = 0; index < chunks; index += 1) {
    const from = index * SEALED_CHUNK_BYTES;
    const sealed = bytes.subarray(from, from + SEALED_CHUNK_BYTES);
    openChunk(dataKey, sealed, index, index === chunks - 1).copy(bytes, index * CHUNK_BYTES);
    // A long object lets others have their turn.
    if (index % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) await nextTurn();
  }
  return bytes.subarray(0, plainBytes);
}

/** `storage.altered`: the file is shorter than it said. */
async function readExactly(handle: FileHandle, length: number, position: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new SuturaError('storage.altered');
    done += bytesRead;
  }
  return bytes;
}
