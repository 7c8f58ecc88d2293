const BLOCK = 512;
/** The size that GNU tar and npm pad an archive to. */
const RECORD = 20 * BLOCK;

/** A ustar archive (POSIX.1-2001) of these files: the same files give the same bytes, with no time and no owner. Paths up to 100 bytes. */
export function packTar(files: ReadonlyMap<string, Buffer>): Buffer {
  const blocks = [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, bytes]) => [header(path, bytes.length), bytes, Buffer.alloc(padding(bytes.length, BLOCK))]);
  const size = blocks.reduce((sum, { length }) => sum + length, 0) + 2 * BLOCK;
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK + padding(size, RECORD))]);
}

function padding(length: number, unit: number): number {
  return (unit - (length % unit)) % unit;
}

function header(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for an archive.`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number, at: number) =>
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  block.write(path, 0);
  octal(0o644, 7, 100);
  octal(0, 7, 108);
  octal(0, 7, 116);
  octal(size, 11, 124);
  octal(0, 11, 136);
  // The sum is taken with its own field as blanks.
  block.fill(' ', 148, 156);
  block.write('0', 156);
  block.write('ustar\0' + '00', 257, 'latin1');
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  );
  return block;
}
