import { createReadStream } from 'node:fs';

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const TYPES = { file: '0', link: '2', folder: '5', longTarget: 'K', longName: 'L' };

/**
 * A tar archive (POSIX ustar, GNU's long names) whose bytes depend on its entries and `mtimeS` alone: no owner by name,
 * no time of a file, nothing of this machine.
 * @param {Iterable<{ path: string, kind: 'file' | 'folder' | 'link', mode: number, owner?: number, sizeBytes?: number, source?: string, bytes?: Buffer, target?: string }>} entries
 */
export async function* tarOf(entries, mtimeS) {
  for (const entry of entries) {
    yield* headersOf(entry, mtimeS);
    if (entry.kind !== 'file') continue;
    let writtenBytes = 0;
    for await (const chunk of entry.bytes === undefined ? createReadStream(entry.source) : [entry.bytes]) {
      writtenBytes += chunk.length;
      yield chunk;
    }
    if (writtenBytes !== sizeOf(entry)) throw new Error(`${entry.path} changed while it was read.`);
    yield padding(writtenBytes);
  }
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

function sizeOf({ kind, bytes, sizeBytes }) {
  return kind === 'file' ? (bytes?.length ?? sizeBytes) : 0;
}

function* headersOf(entry, mtimeS) {
  const { kind, mode, owner = 0, target = '' } = entry;
  const path = kind === 'folder' ? `${entry.path}/` : entry.path;
  yield* longText(TYPES.longName, path, mtimeS);
  yield* longText(TYPES.longTarget, target, mtimeS);
  yield header({ path, type: TYPES[kind], mode, owner, sizeBytes: sizeOf(entry), target, mtimeS });
}

/** What does not fit into a header goes before it, as the content of an entry of its own. */
function* longText(type, text, mtimeS) {
  const bytes = Buffer.from(`${text}\0`);
  if (bytes.length <= NAME_BYTES) return;
  yield header({ path: '././@LongLink', type, mode: 0, owner: 0, sizeBytes: bytes.length, target: '', mtimeS });
  yield bytes;
  yield padding(bytes.length);
}

function header({ path, type, mode, owner, sizeBytes, target, mtimeS }) {
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (value, at, digits) => block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  block.write(path, 0, NAME_BYTES, 'utf8');
  octal(mode, 100, 7);
  octal(owner, 108, 7);
  octal(owner, 116, 7);
  octal(sizeBytes, 124, 11);
  octal(mtimeS, 136, 11);
  block.fill(' ', 148, 156);
  block.write(type, 156, 'latin1');
  block.write(target, 157, NAME_BYTES, 'utf8');
  block.write('ustar  \0', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function padding(bytes) {
  return Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);
}
