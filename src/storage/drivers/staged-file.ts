import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint } from '../../platform/failpoints.js';
import type { ObjectSealer } from '../encryption/object-encryption.js';
import { errorCodeOf, namingFullDisk } from './storage-fault.js';

/** Bytes that are written in one call: each costs a way to the file system's threads. */
export const WRITE_BYTES = 262_144;
/** Single-byte chunks must not fill memory with their descriptors. */
const MOST_PARTS = 64;

/** Room for the bytes of one object while it is staged. */
export interface StagedMemory {
  readonly bytes: Buffer;
  /** Called exactly once. */
  giveBack(): void;
}

/**
 * A file that is being written and may yet be discarded. Every step that writes may throw `service.storage_full`.
 * What it is given must stay as it is until `seal`: it goes to the disk later, many parts at a time.
 */
export class StagedFile {
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private bytesTaken = 0;
  private isBegun = false;
  private isMoved = false;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
    private readonly sealer: ObjectSealer | null,
    private memory: StagedMemory | null,
  ) {}

  /** Makes a missing folder. `memory` keeps what is written for `read`, as long as it has room; null: `read` reads the disk. */
  static open(path: string, sealer: ObjectSealer | null, memory: StagedMemory | null = null): Promise<StagedFile> {
    return namingFullDisk(async () => {
      await failpoint('blob_write');
      return new StagedFile(path, await create(path), sealer, memory);
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += WRITE_BYTES) {
      this.take(bytes.subarray(at, at + WRITE_BYTES));
      const isMuch = this.waitingBytes >= WRITE_BYTES || this.waiting.length >= MOST_PARTS;
      if (isMuch) await namingFullDisk(() => this.append(this.takeWaiting()));
    }
  }

  /** Ends the writing: the bytes reach the disk. */
  seal(): Promise<void> {
    return namingFullDisk(async () => {
      const rest = this.takeWaiting();
      await this.append(this.sealer === null ? rest : [...rest, ...this.sealer.end()]);
      await this.handle.sync();
      await this.handle.close();
    });
  }

  /** The bytes as they were written, after `seal`. */
  async read(): Promise<Uint8Array> {
    if (this.memory !== null) return this.memory.bytes.subarray(0, this.bytesTaken);
    if (this.sealer === null) return readFile(this.path);
    const handle = await open(this.path, 'r');
    try {
      return await this.sealer.read(handle);
    } finally {
      await handle.close();
    }
  }

  async moveTo(path: string): Promise<void> {
    await namingFullDisk(() => moveDurably(this.path, path));
    this.isMoved = true;
  }

  /** Takes the place of a file that is there. False: its folder is gone, and is not made again. */
  async replace(path: string): Promise<boolean> {
    try {
      await rename(this.path, path);
    } catch (fault) {
      if (errorCodeOf(fault) === 'ENOENT') return false;
      throw fault;
    }
    this.isMoved = true;
    await syncFolder(dirname(path)).catch(() => undefined);
    return true;
  }

  /** Removes the file unless it was moved. May be called at any time, and more than once. */
  async discard(): Promise<void> {
    this.forget();
    if (this.isMoved) return;
    await this.handle.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }

  private take(part: Uint8Array): void {
    if (this.memory !== null && this.bytesTaken + part.length > this.memory.bytes.length) this.forget();
    this.waitingBytes += part.length;
    if (this.memory === null) this.waiting.push(part);
    else {
      this.memory.bytes.set(part, this.bytesTaken);
      const end = this.bytesTaken + part.length;
      this.waiting = [this.memory.bytes.subarray(end - this.waitingBytes, end)];
    }
    this.bytesTaken += part.length;
  }

  /** What waits, as it is to be written. */
  private takeWaiting(): Uint8Array[] {
    const isCrumbs = this.waitingBytes < WRITE_BYTES && this.waiting.length >= MOST_PARTS;
    const parts = isCrumbs ? [Buffer.concat(this.waiting)] : this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    const { sealer } = this;
    if (sealer === null) return parts;
    const header = this.isBegun ? [] : [sealer.header];
    this.isBegun = true;
    return [...header, ...parts.flatMap((part) => sealer.update(part))];
  }

  private forget(): void {
    this.memory?.giveBack();
    this.memory = null;
  }

  private async append(parts: readonly Uint8Array[]): Promise<void> {
    let rest = parts.filter((part) => part.length > 0);
    while (rest.length > 0) rest = withoutFirst(rest, (await this.handle.writev(rest)).bytesWritten);
  }
}

async function create(path: string): Promise<FileHandle> {
  const make = (): Promise<FileHandle> => open(path, 'wx', 0o600);
  return make().catch(async (fault: unknown) => {
    if (errorCodeOf(fault) !== 'ENOENT') throw fault;
    await mkdir(dirname(path), { recursive: true });
    return make();
  });
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
