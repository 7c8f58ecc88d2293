import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A grey PNG of one bit per pixel (ISO/IEC 15948 11.2.2), all black; `rows` fewer than the height leave it unfinished. */
function blackPng(side: number, rows = side): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const pixels = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(side / 8))));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#d0a890' } });
const photo = () => drawWoundPhoto();
const drawn = async () => sharp(await photo());
const share = async (part: number) => (await photo()).subarray(0, Math.floor((await photo()).length * part));

/** A part of its middle lost on the way, as a broken line or disk leaves it. */
async function zeroed(): Promise<Buffer> {
  const bytes = await photo();
  const middle = Math.floor(bytes.length / 2);
  return bytes.fill(0, middle, middle + 512);
}

/** An end-of-central-directory record: the smallest ZIP archive. */
const ZIP = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

async function animation(): Promise<Buffer> {
  const frames = await Promise.all(
    ['#d0a890', '#901010'].map((background) =>
      sharp({ create: { width: 128, height: 128, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
}

/** Files as clients send them, drawn by code. */
export const PICTURES: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  empty: () => Buffer.alloc(0),
  text: () => Buffer.from('This is not a photo of a wound.'),
  html: () => Buffer.from('<!doctype html><script>alert(1)</script>'),
  pdf: () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF'),
  zip: () => ZIP,
  svg: () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200"/></svg>',
    ),
  gif: () => plain(100, 100).gif().toBuffer(),
  tiff: () => plain(100, 100).tiff().toBuffer(),
  avif: () => plain(100, 100).avif({ effort: 0 }).toBuffer(),
  stub: async () => (await photo()).subarray(0, 2),
  jpeg: photo,
  'jpeg-as-png': photo,
  'jpeg-60-percent': () => share(0.6),
  'jpeg-zeroed': zeroed,
  'jpeg-last-byte': async () => (await photo()).subarray(0, -1),
  'jpeg-noise': () =>
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 37) % 251)),
    ]),
  'png-400-megapixels': () => blackPng(20_000),
  'png-claims-65535': () => blackPng(65_535, 1),
  'png-49-megapixels': () => blackPng(7000),
  'one-pixel': () => plain(1, 1).png().toBuffer(),
  'png-63': () => plain(63, 200).png().toBuffer(),
  strip: () => plain(1400, 66).png().toBuffer(),
  'animated-webp': animation,
  cmyk: async () => (await drawn()).toColourspace('cmyk').jpeg().toBuffer(),
  'png-16-bit': async () => (await drawn()).toColourspace('rgb16').png().toBuffer(),
  grey: async () => (await drawn()).greyscale().png().toBuffer(),
  alpha: async () => (await drawn()).ensureAlpha(0.5).png().toBuffer(),
  polyglot: async () => Buffer.concat([await photo(), ZIP]),
  exif: () => drawWoundPhoto({ description: 'Erika Mustermann, ward 7' }),
};
