import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failpoint } from '../platform/failpoints.js';
import { OBJECTS_PART } from './backup-manifest.js';
import type { NamedObjects } from './named-objects.js';
import { copySummed, type SummedFile } from './summed-files.js';

/** The local store, as far as a back-up knows it. */
export interface ObjectFolder {
  /** Absolute path. */
  readonly root: string;
  /** Every object that is whole, with its path below `root`. */
  list(): AsyncIterable<{ readonly objectKey: string; readonly path: string }>;
}

interface Copy {
  readonly objectKey: string;
  /** Says whether the object was written anew since: objects are replaced as a whole. */
  readonly mark: string;
  readonly file: SummedFile;
}

/** Copies of the objects of a store that goes on changing. */
export class ObjectCopies {
  private readonly copies = new Map<string, Copy>();

  constructor(
    private readonly objects: ObjectFolder,
    private readonly folder: string,
  ) {}

  /**
   * Brings the copies to what the database names: copies what is new or was written anew, removes what is no longer
   * named. What is named and gone from the store keeps the copy that there is.
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

  /** SHA-256 by key. */
  get sums(): ReadonlyMap<string, string> {
    return new Map([...this.copies.values()].map(({ objectKey, file }) => [objectKey, file.sha256]));
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
    this.copies.set(path, { objectKey, mark, file });
  }
}

/** A photo may be erased while it is copied. Whether it should be there is compared at the end. */
function passOverErased(fault: unknown): void {
  if ((fault as { code?: unknown } | null)?.code !== 'ENOENT') throw fault;
}
