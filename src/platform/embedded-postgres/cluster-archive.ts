import { chown, mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Who the files shall belong to; null: to us. */
type FileOwner = { readonly uid: number; readonly gid: number } | null;

interface ArchiveEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  readonly bytes: number;
}

const BLOCK = 512;
const CHUNK = 1 << 20;
/** Where a header of ustar has its fields (POSIX.1-2017, pax). */
const FIELDS = { name: [0, 100], size: [124, 136], sum: [148, 156], kind: [156, 157], prefix: [345, 500] } as const;

/**
 * Unpacks `base.tar` of a base backup into a folder, which it makes; every file reaches the disk. Throws if the archive
 * ends early or has what the server writes only for tablespaces.
 */
export async function unpackCluster(archive: string, folder: string, owner: FileOwner): Promise<void> {
  const source = await open(archive, 'r');
  try {
    await makeFolder(folder, owner);
    let at = 0;
    for (;;) {
      const entry = readHeader(await readBlock(source, at));
      if (entry === null) return;
      at += BLOCK;
      const path = join(folder, entry.name);
      if (entry.kind === 'folder') await makeFolder(path, owner);
      else await unpackFile(source, at, entry.bytes, path, owner);
      at += Math.ceil(entry.bytes / BLOCK) * BLOCK;
    }
  } finally {
    await source.close();
  }
}

async function makeFolder(path: string, owner: FileOwner): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (owner !== null) await chown(path, owner.uid, owner.gid);
}

async function unpackFile(
  source: FileHandle,
  from: number,
  bytes: number,
  path: string,
  owner: FileOwner,
): Promise<void> {
  await makeFolder(dirname(path), owner);
  const target = await open(path, 'wx', 0o600);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(bytes, 1)));
    for (let done = 0; done < bytes;) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, bytes - done), from + done);
      if (bytesRead === 0) throw endsEarly();
      await target.writeFile(buffer.subarray(0, bytesRead));
      done += bytesRead;
    }
    if (owner !== null) await target.chown(owner.uid, owner.gid);
    await target.sync();
  } finally {
    await target.close();
  }
}

async function readBlock(source: FileHandle, at: number): Promise<Buffer> {
  const block = Buffer.alloc(BLOCK);
  const { bytesRead } = await source.read(block, 0, BLOCK, at);
  if (bytesRead !== BLOCK) throw endsEarly();
  return block;
}

/** null: the empty block behind the last file. */
function readHeader(block: Buffer): ArchiveEntry | null {
  if (block.every((byte) => byte === 0)) return null;
  const textOf = ([from, to]: readonly [number, number]): string =>
    block.toString('utf8', from, to).replace(/\0.*$/s, '');
  const sum = parseInt(textOf(FIELDS.sum), 8);
  if (sum !== checksumOf(block)) throw new Error('The archive of the database is damaged: a header has a wrong sum.');
  const prefix = textOf(FIELDS.prefix);
  const name = (prefix === '' ? '' : `${prefix}/`) + textOf(FIELDS.name);
  const kind = { '0': 'file', '5': 'folder' }[textOf(FIELDS.kind)] as ArchiveEntry['kind'] | undefined;
  if (kind === undefined || name.startsWith('/') || name.split('/').includes('..'))
    throw new Error(`The archive of the database has an entry that is not unpacked: ${name}.`);
  return { name, kind, bytes: kind === 'folder' ? 0 : sizeIn(block.subarray(...FIELDS.size)) };
}

/** The sum of all bytes, its own eight as spaces. */
function checksumOf(block: Buffer): number {
  const [from, to] = FIELDS.sum;
  return block.reduce((sum, byte, index) => sum + (index >= from && index < to ? 0x20 : byte), 0);
}

/** Octal digits; for 8 GiB and more a number of 11 bytes behind the byte 128. */
function sizeIn(field: Buffer): number {
  return field[0] === 0x80
    ? Number(field.readBigUInt64BE(4))
    : parseInt(field.toString('latin1').replace(/\0.*$/s, ''), 8);
}

function endsEarly(): Error {
  return new Error('The archive of the database ends early.');
}
