import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const [STORED, DEFLATED] = [0, 8];

/** The files of a zip archive below `folder`, by their names without it, as text. No zip64: the archive has some megabytes. */
export function readJar(bytes, folder) {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error('This is no zip archive.');
  const files = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error('The directory of the archive is damaged.');
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (name.startsWith(folder) && !name.endsWith('/')) files.set(name.slice(folder.length), textOf(bytes, at));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

function textOf(bytes, entry) {
  const method = bytes.readUInt16LE(entry + 10);
  const local = bytes.readUInt32LE(entry + 42);
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const content = bytes.subarray(from, from + bytes.readUInt32LE(entry + 20));
  if (method !== STORED && method !== DEFLATED) throw new Error(`Compression ${method} is not known.`);
  return (method === STORED ? content : inflateRawSync(content)).toString('utf8');
}
