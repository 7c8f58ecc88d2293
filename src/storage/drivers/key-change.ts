import { join } from 'node:path';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import type { EncryptionKeys } from '../../platform/encryption/encryption-keys.js';
import type { EncryptionKey } from '../../platform/encryption/key-ring.js';
import { rewrapObject } from '../encryption/rewrap-object.js';
import type { BlobFolder } from './blob-folder.js';

/** Objects by the id of the key that they need. */
export interface KeyUsage {
  readonly byKey: Readonly<Record<string, number>>;
  readonly plain: number;
  /** Objects whose header says nothing that can be read. */
  readonly altered: readonly string[];
}

export interface KeyChange {
  /** Brought to the key by this call. */
  readonly rewrapped: number;
  /** Plain ones that were encrypted. */
  readonly encrypted: number;
  /** Those that had the key already. */
  readonly current: number;
  /** Keys of objects that no key opens, or that were altered. */
  readonly failed: readonly string[];
}

/** Counts objects by the key that they need, from their headers. */
export async function readKeyUsage(blobs: BlobFolder): Promise<KeyUsage> {
  const byKey: Record<string, number> = {};
  const altered: string[] = [];
  let plain = 0;
  for await (const { objectKey, path } of blobs.list()) {
    try {
      const id = await blobs.keyIdOf(path, objectKey);
      if (id === null) plain += 1;
      else byKey[id] = (byKey[id] ?? 0) + 1;
    } catch (fault) {
      if (!isSuturaError(fault, 'storage.altered')) throw fault;
      altered.push(objectKey);
    }
  }
  return { byKey, plain, altered };
}

/** Re-encrypts every object with a key, plain ones too. May be interrupted; the next call continues. */
export async function bringToKey(blobs: BlobFolder, keys: EncryptionKeys, by: EncryptionKey): Promise<KeyChange> {
  const done = { rewrapped: 0, encrypted: 0, current: 0 };
  const failed: string[] = [];
  for await (const { objectKey, path } of blobs.list()) {
    try {
      const outcome = await rewrapObject(join(blobs.root, path), objectKey, keys, by);
      if (outcome !== 'plain') done[outcome] += 1;
      else if (await blobs.encrypt(path, objectKey)) done.encrypted += 1;
    } catch (fault) {
      if (isSuturaError(fault, 'storage.altered', 'storage.key_missing')) failed.push(objectKey);
      // One that was erased meanwhile.
      else if ((fault as { code?: unknown } | null)?.code !== 'ENOENT') throw fault;
    }
  }
  return { ...done, failed };
}
