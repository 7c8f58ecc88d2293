import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint } from '../../platform/failpoints.js';
import type { ObjectSealer } from '../encryption/object-encryption.js';
import { errorCodeOf, namingFullDisk } from './storage-fault.js';

/** A file that is being written and may yet be discarded. Every step that writes may throw `service.storage_full`. */
export class StagedFile {
  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly sealer: ObjectSealer | null,
  ) {}

  static open(path: string, sealer: ObjectSealer | null): Promise<StagedFile> {
    return namingFullDisk(async () => {
      await failpoint('blob_write');
      const staged = new StagedFile(path, await open(path, 'wx', 0o600), sealer);
      if (sealer !== null) await staged.append([sealer.header]);
      return staged;
    });
  }

  write(chunk: Uint8Array): Promise<void> {
    return namingFullDisk(() => this.append(this.sealer === null ? [chunk] : this.sealer.update(chunk)));
  }

  /** Ends the writing: the bytes reach the disk. */
  seal(): Promise<void> {
    return namingFullDisk(async () => {
      if (this.sealer !== null) await this.append(this.sealer.end());
      await this.handle.sync();
      await this.handle.close();
    });
  }

  /** The bytes as they were written, after `seal`. */
  async read(): Promise<Uint8Array> {
    if (this.sealer === null) return readFile(this.path);
    const handle = await open(this.path, 'r');
    return this.sealer.read(handle).finally(() => handle.close());
  }

  moveTo(path: string): Promise<void> {
    return namingFullDisk(() => moveDurably(this.path, path));
  }

  /** Takes the place of a file that is there. False: its folder is gone, and is not made again. */
  async replace(path: string): Promise<boolean> {
    try {
      await rename(this.path, path);
    } catch (fault) {
      if (errorCodeOf(fault) === 'ENOENT') return false;
      throw fault;
    }
    await syncFolder(dirname(path)).catch(() => undefined);
    return true;
  }

  /** Removes the file unless it was moved. May be called at any time, and more than once. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }

  /** One call for many parts: each costs a way to the file system's threads. */
  private async append(parts: readonly Uint8Array[]): Promise<void> {
    let rest = parts.filter((part) => part.length > 0);
    while (rest.length > 0) rest = withoutFirst(rest, (await this.handle.writev(rest)).bytesWritten);
  }
}

/** What is left of parts whose first bytes were written. */
function withoutFirst(parts: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let done = bytes;
  return parts.flatMap((part) => {
    const skipped = Math.min(done, part.length);
    done -= skipped;
    return skipped === part.length ? [] : [part.subarray(skipped)];
  });
}

/** Moves a file so that after a power cut it is whole in its old or its new place. Makes missing folders. */
async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const firstMade = await mkdir(folder, { recursive: true });
  await rename(from, to);
  await syncFolder(folder);
  if (firstMade === undefined) return;
  // A new folder is an entry of its parent, which must reach the disk as well.
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
