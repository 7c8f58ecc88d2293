import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of a back-up: its path in it with `/`, and what `sha256sum` says of it. */
export interface SummedFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

type Sum = Omit<SummedFile, 'path'>;

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
const CHUNK = 1 << 20;

/** Makes the folder of a file, and those above it. */
export async function makeFolderOf(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: FOLDER_OF_OWNER });
}

/** Copies a file to an unused path and syncs it. The sum is that of the bytes written. ENOENT: no such file. */
export async function copySummed(from: string, to: string): Promise<Sum> {
  const source = await open(from, 'r');
  try {
    await makeFolderOf(to);
    const target = await open(to, 'wx', OWNER_ONLY);
    try {
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(CHUNK);
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, CHUNK, bytes);
        if (bytesRead === 0) break;
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        await target.writeFile(chunk);
        bytes += bytesRead;
      }
      await target.sync();
      return { bytes, sha256: hash.digest('hex') };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Writes a small file to a place that is free. */
export async function writeSummed(to: string, text: string): Promise<Sum> {
  await makeFolderOf(to);
  const target = await open(to, 'wx', OWNER_ONLY);
  try {
    const bytes = Buffer.from(text);
    await target.writeFile(bytes);
    await target.sync();
    return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  } finally {
    await target.close();
  }
}

/** The sum of a file as it lies on the disk. */
export async function sumOf(file: string): Promise<Sum> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Files that are written piece by piece, one after another, without waiting: see BaseBackupTarget. */
export class SummedWriter {
  readonly files: SummedFile[] = [];
  private current: { readonly path: string; readonly descriptor: number; readonly hash: Hash; bytes: number } | null =
    null;

  /** @param folder exists; the files are `<prefix><name>` in it */
  constructor(
    private readonly folder: string,
    private readonly prefix: string,
  ) {}

  begin(name: string): void {
    this.end();
    const path = `${this.prefix}${name}`;
    const descriptor = openSync(join(this.folder, path), 'wx', OWNER_ONLY);
    this.current = { path, descriptor, hash: createHash('sha256'), bytes: 0 };
  }

  write(bytes: Uint8Array): void {
    if (this.current === null) throw new Error('No file was begun.');
    for (let written = 0; written < bytes.length;) written += writeSync(this.current.descriptor, bytes, written);
    this.current.hash.update(bytes);
    this.current.bytes += bytes.length;
  }

  end(): void {
    if (this.current === null) return;
    const { path, descriptor, hash, bytes } = this.current;
    fsyncSync(descriptor);
    closeSync(descriptor);
    this.files.push({ path, bytes, sha256: hash.digest('hex') });
    this.current = null;
  }
}

/** A folder and all folders in it reach the disk, so that after a power cut every entry is there. */
export async function syncFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncFolder(folder);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
