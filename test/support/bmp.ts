export interface BmpOptions {
  readonly bits: 1 | 4 | 8 | 24 | 32;
  readonly isTopDown?: boolean;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** A Windows bitmap (BITMAPINFOHEADER, uncompressed) of grey values, row by row from the top. With a palette the values are levels of `2^bits - 1`. */
export function writeBmp(
  width: number,
  height: number,
  grey: readonly number[],
  { bits, isTopDown = false }: BmpOptions,
): Buffer {
  const levels = 2 ** Math.min(bits, 8);
  const palette =
    bits <= 8
      ? Array.from(
          { length: levels },
          (_, index): Rgb => [0, 1, 2].map(() => Math.round((index * 255) / (levels - 1))) as unknown as Rgb,
        )
      : [];
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const dataStart = 54 + palette.length * 4;
  const bytes = Buffer.alloc(dataStart + rowBytes * height);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(dataStart, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(isTopDown ? -height : height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(bits, 28);
  palette.forEach(([red, green, blue], index) => bytes.set([blue, green, red, 0], 54 + index * 4));
  for (let row = 0; row < height; row += 1) {
    const start = dataStart + rowBytes * (isTopDown ? row : height - 1 - row);
    for (let column = 0; column < width; column += 1) {
      const value = grey[row * width + column]!;
      if (bits > 8) bytes.fill(value, start + column * (bits / 8), start + column * (bits / 8) + 3);
      else
        bytes[start + Math.floor((column * bits) / 8)]! |=
          Math.round((value * (levels - 1)) / 255) << (8 - bits - ((column * bits) % 8));
    }
  }
  return bytes;
}
