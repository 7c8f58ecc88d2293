/** A mask's values before they are judged: `channels` bytes for each pixel, row by row. */
export interface RawPicture {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly pixels: Uint8Array;
}

const FILE_HEADER_BYTES = 14;
const LEAST_INFO_BYTES = 40;
const UNCOMPRESSED = 0;
const RGB = 3;
const BYTES_OF_PALETTE_COLOUR = 4;
const LARGEST_SIDE = 32_768;

/**
 * Reads an uncompressed Windows bitmap of 1, 4, 8, 24 or 32 bits a pixel (BITMAPINFOHEADER and later) as RGB; the picture library reads none.
 * Throws an Error for every other kind and for a file that is cut off.
 */
export function readBmp(bytes: Buffer): RawPicture {
  const header = readHeader(bytes);
  const { width, height, bits, dataStart } = header;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  if (dataStart + rowBytes * height > bytes.length) throw new Error('the bitmap is cut off');
  const palette = bits <= 8 ? readPalette(bytes, header) : null;
  const pixels = new Uint8Array(width * height * RGB);
  for (let row = 0; row < height; row += 1) {
    // Rows stand from the bottom up unless the height is negative.
    const start = dataStart + rowBytes * (header.isTopDown ? row : height - 1 - row);
    for (let column = 0; column < width; column += 1) {
      const [red, green, blue] =
        palette === null ? trueColour(bytes, start, column, bits) : palette[indexAt(bytes, start, column, bits)]!;
      pixels.set([red, green, blue], (row * width + column) * RGB);
    }
  }
  return { width, height, channels: RGB, pixels };
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly isTopDown: boolean;
  readonly dataStart: number;
  readonly infoBytes: number;
  readonly colours: number;
}

type Colour = readonly [red: number, green: number, blue: number];

function readHeader(bytes: Buffer): Header {
  if (bytes.length < FILE_HEADER_BYTES + LEAST_INFO_BYTES || bytes.toString('latin1', 0, 2) !== 'BM')
    throw new Error('this is no bitmap');
  const infoBytes = bytes.readUInt32LE(14);
  const [width, signedHeight] = [bytes.readInt32LE(18), bytes.readInt32LE(22)];
  const [bits, compression] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)];
  const height = Math.abs(signedHeight);
  if (infoBytes < LEAST_INFO_BYTES || ![1, 4, 8, 24, 32].includes(bits) || compression !== UNCOMPRESSED) {
    throw new Error('only uncompressed bitmaps of 1, 4, 8, 24 or 32 bits are read');
  }
  if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE)
    throw new Error('the bitmap has no usable size');
  const colours = bytes.readUInt32LE(46) || 2 ** Math.min(bits, 8);
  return { width, height, bits, isTopDown: signedHeight < 0, dataStart: bytes.readUInt32LE(10), infoBytes, colours };
}

function readPalette(bytes: Buffer, { bits, infoBytes, colours }: Header): readonly Colour[] {
  const start = FILE_HEADER_BYTES + infoBytes;
  const black: Colour = [0, 0, 0];
  return Array.from({ length: 2 ** bits }, (_, index): Colour => {
    const at = start + index * BYTES_OF_PALETTE_COLOUR;
    return index < colours && at + RGB <= bytes.length ? [bytes[at + 2]!, bytes[at + 1]!, bytes[at]!] : black;
  });
}

function trueColour(bytes: Buffer, start: number, column: number, bits: number): Colour {
  const at = start + column * (bits / 8);
  return [bytes[at + 2]!, bytes[at + 1]!, bytes[at]!];
}

/** Several pixels share a byte below 8 bits, the leftmost in the highest bits. */
function indexAt(bytes: Buffer, start: number, column: number, bits: number): number {
  const perByte = 8 / bits;
  const shift = bits * (perByte - 1 - (column % perByte));
  return (bytes[start + Math.floor(column / perByte)]! >> shift) & (2 ** bits - 1);
}
