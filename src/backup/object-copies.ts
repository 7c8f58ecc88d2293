import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failpoint } from '../platform/failpoints.js';
import { OBJECTS_PART } from './backup-manifest.js';
import { digestOfFault, type NamedObjects } from './named-objects.js';
import { copySummed, type SummedFile } from './summed-files.js';

/** The local store, as far as a back-up knows it. */
export interface ObjectFolder {
  /** Absolute path. */
  readonly root: string;
  /** Every object that is whole, with its path below `root`. */
  list(): AsyncIterable<{ readonly objectKey: string; readonly path: string }>;
  /**
   * Of an object's file: the SHA-256 (hex) of the plain bytes and the id of the key, both null of a plain file. Throws
   * where it cannot be decrypted.
   */
  describe(path: string, objectKey: string): Promise<{ readonly sha256: string | null; readonly keyId: string | null }>;
}

interface Copy {
  readonly objectKey: string;
  /** Says whether the object was written anew since: objects are replaced as a whole. */
  readonly mark: string;
  readonly file: SummedFile;
  /** Of the plain bytes, or what digestOfFault says. */
  readonly sha256: string;
  readonly keyId: string | null;
}

/** Copies of the objects of a store in use. */
export class ObjectCopies {
  private readonly copies = new Map<string, Copy>();

  constructor(
    private readonly objects: ObjectFolder,
    private readonly folder: string,
  ) {}

  /**
   * Brings the copies to what the database names: copies new and changed objects, removes those no longer named. Objects missing from the store keep their copy.
   */
  async bringTo(named: NamedObjects): Promise<void> {
    for (const [path, { objectKey, file }] of this.copies)
      if (!named.covers(objectKey)) {
        await rm(join(this.folder, file.path));
        this.copies.delete(path);
      }
    for await (const { objectKey, path } of this.objects.list())
      if (named.covers(objectKey)) await this.copy(objectKey, path).catch(passOverErased);
  }

  get files(): readonly SummedFile[] {
    return [...this.copies.values()].map(({ file }) => file);
  }

  /** SHA-256 of the plain bytes by key. */
  get sums(): ReadonlyMap<string, string> {
    return new Map([...this.copies.values()].map(({ objectKey, sha256 }) => [objectKey, sha256]));
  }

  /** The ids of the keys that decrypt them. */
  get keyIds(): readonly string[] {
    const ids = [...this.copies.values()].map(({ keyId }) => keyId).filter((id) => id !== null);
    return [...new Set(ids)];
  }

  private async copy(objectKey: string, path: string): Promise<void> {
    const source = join(this.objects.root, path);
    const { ino, size, mtimeMs } = await stat(source);
    const mark = `${ino} ${size} ${mtimeMs}`;
    const known = this.copies.get(path);
    if (known?.mark === mark) return;
    await failpoint('backup_copy');
    const target = `${OBJECTS_PART}${path.replaceAll('\\', '/')}`;
    if (known !== undefined) await rm(join(this.folder, target));
    this.copies.delete(path);
    const file = { path: target, ...(await copySummed(source, join(this.folder, target))) };
    const content = await this.objects.describe(join(this.folder, target), objectKey).catch(unreadable);
    this.copies.set(path, { objectKey, mark, file, sha256: content.sha256 ?? file.sha256, keyId: content.keyId });
  }
}

/** It is copied as it is, and named. */
function unreadable(fault: unknown): { readonly sha256: string; readonly keyId: null } {
  return { sha256: digestOfFault(fault), keyId: null };
}

/** A photo may be erased while it is copied. Whether it should be there is compared at the end. */
function passOverErased(fault: unknown): void {
  if ((fault as { code?: unknown } | null)?.code !== 'ENOENT') throw fault;
}
