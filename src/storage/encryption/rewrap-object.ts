import { open, type FileHandle } from 'node:fs/promises';
import { failpoint } from '../../platform/failpoints.js';
import type { EncryptionKeys } from '../../platform/encryption/encryption-keys.js';
import type { EncryptionKey } from '../../platform/encryption/key-ring.js';
import { WRAPPED_KEY_BYTES, wrapKey } from '../../platform/encryption/wrapped-key.js';
import { bindingOf, openDataKey, readHeader } from './object-encryption.js';
import { otherPlace, wrappedKeysOf } from './object-header.js';

/** `current`: it had this key already; `plain`: it is not encrypted. */
export type Rewrapping = 'rewrapped' | 'current' | 'plain';

/**
 * Wraps the data key of an object by another key, in the file as it stands: its bytes are not touched, and one that is
 * erased meanwhile stays erased. Killed at any step, the file opens, and the next call ends what was begun.
 * `storage.key_missing`, `storage.altered`.
 */
export async function rewrapObject(
  path: string,
  objectKey: string,
  keys: EncryptionKeys,
  by: EncryptionKey,
): Promise<Rewrapping> {
  const handle = await open(path, 'r+');
  try {
    const header = await readHeader(handle);
    if (header === null) return 'plain';
    const places = wrappedKeysOf(header);
    const { dataKey, place } = await openDataKey(keys, header, objectKey);
    const isCurrent = place.wrapped.keyId === by.id && place.wrapped.fingerprint.equals(by.fingerprint);
    if (isCurrent) {
      if (places.length > 1) await clear(handle, otherPlace(place));
      return 'current';
    }
    const generation = Math.max(...places.map(({ wrapped }) => wrapped.generation)) + 1;
    await writeWhole(handle, wrapKey(by, dataKey, bindingOf(objectKey), generation), otherPlace(place));
    await handle.sync();
    await failpoint('encryption_rewrap');
    await clear(handle, place.at);
    return 'rewrapped';
  } finally {
    await handle.close();
  }
}

function clear(handle: FileHandle, at: number): Promise<void> {
  return writeWhole(handle, Buffer.alloc(WRAPPED_KEY_BYTES), at);
}

async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}
