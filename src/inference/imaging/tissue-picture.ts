import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import sharp from 'sharp';
import type { PhotoSize } from '../../core/measurement/probability-map.js';
import type { BoundingBox } from '../../core/measurement/wound-result.js';
import { TISSUE_TABLE, TISSUES } from '../../core/tissue/tissues.js';

export const TISSUE_PICTURE_CONTENT_TYPE = 'image/png';

/** The tissue of each pixel of a photo's raster: its number in the tissue table, 0 where no wound is. */
export interface TissueMap {
  readonly numbers: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A tissue map as it is kept. It covers the whole photo, and may have fewer pixels. */
export interface TissuePicture {
  /** PNG. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const deflated = promisify(deflate);
/** Maps are flat: the least effort already compresses them a hundredfold. */
const COMPRESSION_LEVEL = 1;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_OF_EIGHT_BITS = [8, 3, 0, 0, 0];

/** An indexed PNG (ISO/IEC 15948): a pixel's value is the number of its tissue, in the colour that documents have for it; 0 is transparent. */
export async function drawTissuePicture({ numbers, width, height }: TissueMap): Promise<TissuePicture> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(PALETTE_OF_EIGHT_BITS, 8);
  const highest = Math.max(...TISSUES.map((tissue) => TISSUE_TABLE[tissue].number));
  const palette = Buffer.alloc(3 * (highest + 1));
  for (const tissue of TISSUES) {
    const { number, colour } = TISSUE_TABLE[tissue];
    palette.write(colour.slice(1), 3 * number, 'hex');
  }
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(numbers.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const bytes = Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('tRNS', Buffer.from([0])),
    chunk('IDAT', await deflated(rows, { level: COMPRESSION_LEVEL })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { bytes, width, height };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

const RGBA = 4;
const NUMBER_BY_COLOUR = new Map(
  TISSUES.map((tissue) => [Number.parseInt(TISSUE_TABLE[tissue].colour.slice(1), 16), TISSUE_TABLE[tissue].number]),
);

/** The tissue at each pixel of a picture that shows `frame` of the photo. */
export async function readTissueAt(
  bytes: Uint8Array,
  photo: PhotoSize,
  frame: BoundingBox,
  { widthPx, heightPx }: PhotoSize,
): Promise<(x: number, y: number) => number> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [scaleX, scaleY] = [info.width / photo.widthPx, info.height / photo.heightPx];
  return (x, y) => {
    const column = Math.floor((frame.x + ((x + 0.5) * frame.width) / widthPx) * scaleX);
    const row = Math.floor((frame.y + ((y + 0.5) * frame.height) / heightPx) * scaleY);
    if (column < 0 || row < 0 || column >= info.width || row >= info.height) return 0;
    const offset = (row * info.width + column) * RGBA;
    return data[offset + 3] === 0 ? 0 : (NUMBER_BY_COLOUR.get(data.readUIntBE(offset, 3)) ?? 0);
  };
}
