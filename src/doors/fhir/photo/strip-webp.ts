import { NO_EXIF, orientationOnly, readExif, type ExifFacts } from './exif.js';
import type { StrippedPhoto } from './exif.js';

/** RFC 9649 2.7: chunks that the picture and its colours need. */
const KEPT = ['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L'];
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const EXIF_PREFIX = 'Exif\0\0';

/** A WebP with the chunks alone that its picture needs. null: not understood. */
export function stripWebp(bytes: Buffer): StrippedPhoto | null {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  const kept: Buffer[] = [];
  let exif: ExifFacts = NO_EXIF;
  for (let at = 12; at + 8 <= end;) {
    const size = bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    if (at + 8 + size > end) return null;
    const body = bytes.subarray(at + 8, at + 8 + size);
    if (type === 'EXIF') exif = readExif(withoutPrefix(body));
    if (KEPT.includes(type)) kept.push(chunk(type, body));
    at += 8 + size + (size % 2);
  }
  if (kept.length === 0) return null;
  return { bytes: assemble(kept, exif.orientation), exif };
}

/** Some writers put JPEG's prefix before the TIFF structure. */
function withoutPrefix(body: Buffer): Buffer {
  return body.toString('latin1', 0, EXIF_PREFIX.length) === EXIF_PREFIX ? body.subarray(EXIF_PREFIX.length) : body;
}

function assemble(kept: readonly Buffer[], orientation: number): Buffer {
  const turned = orientation === 1 ? [] : [chunk('EXIF', orientationOnly(orientation))];
  const [first, ...rest] = kept;
  const head = Buffer.from(first!);
  // The extended form alone has flags; it comes first, and a photo with EXIF always has it.
  if (head.toString('latin1', 0, 4) === 'VP8X')
    head[8] = (head[8]! & ~(EXIF_FLAG | XMP_FLAG)) | (turned.length === 0 ? 0 : EXIF_FLAG);
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), head, ...rest, ...turned]);
  const riff = Buffer.alloc(8);
  riff.write('RIFF', 0, 'latin1');
  riff.writeUInt32LE(body.length, 4);
  return Buffer.concat([riff, body]);
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(8 + data.length + (data.length % 2));
  whole.write(type, 0, 'latin1');
  whole.writeUInt32LE(data.length, 4);
  data.copy(whole, 8);
  return whole;
}
