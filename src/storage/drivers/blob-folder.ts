import { createHash, randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { ObjectEncryption } from '../encryption/object-encryption.js';
import { StagedFile, syncFolder, type StagedMemory } from './staged-file.js';
import { errorCodeOf } from './storage-fault.js';

const SAFE_PART = /^[a-z0-9][a-z0-9._-]{0,99}$/;
/** '<area>/<owner>/…': the owner's folder is what is deleted as a whole. */
const OWNER_PARTS = 2;
const BLOBS = 'blobs';
/** blobs, area, shard and owner. */
const PARTS_BEFORE_REST = 4;

/** Of one object that is being written, and of all at once: beyond it, what has to be read again is read from the disk. */
const OBJECT_MEMORY_BYTES = 8 * 1024 ** 2;
const ALL_MEMORY_BYTES = 32 * 1024 ** 2;

/** What an object's file holds. */
interface ObjectContent {
  readonly sha256: string | null;
  readonly keyId: string | null;
}

/**
 * Objects as files: `blobs/<area>/<shard>/<owner>/<rest>` and, while they are written, `tmp/<random>`; encrypted as
 * ObjectEncryption says, from the first byte on.
 * Keys are made by core; one that is not plain lower-case parts is a programming error and refused.
 */
export class BlobFolder {
  private readonly tmp: string;
  private memoryBytes = 0;

  constructor(
    readonly root: string,
    private readonly encryption = new ObjectEncryption(),
  ) {
    this.tmp = join(root, 'tmp');
  }

  /**
   * A file that becomes this object by `keep`.
   *
   * @param bytesToRead its length, where it will be read before it is kept: it stays in memory until then, if it is not too long
   */
  async stage(objectKey: string, bytesToRead = 0): Promise<StagedFile> {
    this.pathOf(objectKey);
    const path = join(this.tmp, randomUUID());
    const sealer = await this.encryption.begin(objectKey);
    const memory = this.memoryFor(bytesToRead);
    return StagedFile.open(path, sealer, memory).catch((fault: unknown) => {
      memory?.giveBack();
      throw fault;
    });
  }

  /** Under the key that it was staged for: an encrypted object cannot be read under another. */
  keep(staged: StagedFile, objectKey: string): Promise<void> {
    return staged.moveTo(this.pathOf(objectKey));
  }

  /**
   * null: no such object. Throws `image.too_large`, before reading, where it is longer than `maxBytes`;
   * `storage.key_missing`, `storage.altered`.
   */
  async read(objectKey: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> {
    const handle = await open(this.pathOf(objectKey), 'r').catch(nullWhereAbsent);
    if (handle === null) return null;
    try {
      return await this.encryption.read(handle, objectKey, maxBytes);
    } finally {
      await handle.close();
    }
  }

  /**
   * Of an object's file, wherever it lies: the SHA-256 (hex) of the plain bytes and the id of the key, both null of a
   * plain file. `storage.key_missing`, `storage.altered`.
   */
  async describe(path: string, objectKey: string): Promise<ObjectContent> {
    const handle = await open(path, 'r');
    try {
      const keyId = await this.encryption.keyIdOf(handle, objectKey);
      if (keyId === null) return { sha256: null, keyId };
      const bytes = await this.encryption.read(handle, objectKey);
      return { sha256: createHash('sha256').update(bytes).digest('hex'), keyId };
    } finally {
      await handle.close();
    }
  }

  /** The id of the key that an object of `list` needs; null: it is plain, or gone. `storage.altered`. */
  async keyIdOf(path: string, objectKey: string): Promise<string | null> {
    const handle = await open(join(this.root, path), 'r').catch(nullWhereAbsent);
    if (handle === null) return null;
    try {
      return await this.encryption.keyIdOf(handle, objectKey);
    } finally {
      await handle.close();
    }
  }

  /** Encrypts a plain object of `list`. False: it was erased or written anew meanwhile, and stays so. */
  async encrypt(path: string, objectKey: string): Promise<boolean> {
    const place = join(this.root, path);
    const before = await stat(place);
    const staged = await this.stage(objectKey);
    try {
      await staged.write(await readFile(place));
      await staged.seal();
      const now = await stat(place).catch(nullWhereAbsent);
      return now?.ino === before.ino && (await staged.replace(place));
    } finally {
      await staged.discard();
    }
  }

  /** Every object that is whole, as key and as path below this folder, and of none twice. */
  async *list(): AsyncGenerator<{ readonly objectKey: string; readonly path: string }> {
    const entries = await readdir(join(this.root, BLOBS)).catch(nullWhereAbsent);
    for (const area of entries ?? [])
      for (const shard of await readdir(join(this.root, BLOBS, area)))
        for (const owner of await readdir(join(this.root, BLOBS, area, shard)))
          for (const path of await this.filesBelow(join(BLOBS, area, shard, owner)))
            yield { objectKey: [area, owner, ...path.split(sep).slice(PARTS_BEFORE_REST)].join('/'), path };
  }

  /** Deletes '<area>/<owner>/' and everything in it; the deletion reaches the disk. */
  async removeOwner(prefix: string): Promise<void> {
    const parts = prefix.replace(/\/$/, '').split('/');
    if (!prefix.endsWith('/') || parts.length !== OWNER_PARTS)
      throw new Error('Only a whole owner folder can be deleted.');
    const folder = this.pathOf(prefix.slice(0, -1));
    await rm(folder, { recursive: true, force: true });
    await syncFolder(dirname(folder)).catch(nullWhereAbsent);
  }

  /** Throws where nothing can be read or written here. */
  async check(): Promise<void> {
    await mkdir(this.tmp, { recursive: true });
    await access(this.tmp, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  /** Removes files that were begun before `cutoff` and never finished. Returns their number. */
  async removeStale(cutoff: Date): Promise<number> {
    const names = await readdir(this.tmp).catch(nullWhereAbsent);
    let removed = 0;
    for (const name of names ?? []) {
      const path = join(this.tmp, name);
      const facts = await stat(path).catch(nullWhereAbsent);
      if (facts === null || facts.mtime >= cutoff) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  private memoryFor(bytes: number): StagedMemory | null {
    const room = Math.min(OBJECT_MEMORY_BYTES, ALL_MEMORY_BYTES - this.memoryBytes);
    if (bytes === 0 || bytes > room) return null;
    this.memoryBytes += bytes;
    return { bytes: Buffer.allocUnsafeSlow(bytes), giveBack: () => (this.memoryBytes -= bytes) };
  }

  private async filesBelow(folder: string): Promise<string[]> {
    const read = readdir(join(this.root, folder), { recursive: true, withFileTypes: true });
    // An owner may be deleted while the folder is read.
    const entries = (await read.catch(nullWhereAbsent)) ?? [];
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)));
  }

  private pathOf(objectKey: string): string {
    const parts = objectKey.split('/');
    if (parts.length < OWNER_PARTS || !parts.every((part) => SAFE_PART.test(part)))
      throw new Error('This is no object key.');
    const [area = '', owner = '', ...rest] = parts;
    // Ids begin with their time, so the shard is taken from a hash: folders fill evenly.
    const shard = createHash('sha256').update(owner).digest('hex').slice(0, 2);
    return join(this.root, BLOBS, area, shard, owner, ...rest);
  }
}

function nullWhereAbsent(fault: unknown): null {
  if (errorCodeOf(fault) === 'ENOENT') return null;
  throw fault;
}
