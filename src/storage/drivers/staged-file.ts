import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { failpoint } from '../../platform/failpoints.js';
import { moveDurably } from './durable-folder.js';
import { namingFullDisk } from './storage-fault.js';

/** A file that is being written and may yet be thrown away. `service.storage_full` from every step that writes. */
export class StagedFile {
  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static open(path: string): Promise<StagedFile> {
    return namingFullDisk(async () => {
      await failpoint('blob_write');
      return new StagedFile(path, await open(path, 'wx', 0o600));
    });
  }

  write(chunk: Uint8Array): Promise<void> {
    return namingFullDisk(async () => {
      let written = 0;
      while (written < chunk.length) written += (await this.handle.write(chunk, written)).bytesWritten;
    });
  }

  /** Nothing more will be written: the bytes reach the disk. */
  seal(): Promise<void> {
    return namingFullDisk(async () => {
      await this.handle.sync();
      await this.handle.close();
    });
  }

  read(): Promise<Uint8Array> {
    return readFile(this.path);
  }

  moveTo(path: string): Promise<void> {
    return namingFullDisk(() => moveDurably(this.path, path));
  }

  /** Removes what was not moved. May be called at any time, and more than once. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }
}
