import { NO_EXIF, orientationOnly, readExif, type ExifFacts } from './exif.js';
import type { StrippedPhoto } from './exif.js';

// ITU-T T.81 B.1.1: markers are FF and a byte; all but these carry their length.
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;
const EXIF = 'Exif\0\0';
const ICC = 'ICC_PROFILE\0';

interface Segment {
  readonly marker: number;
  /** Offset of the FF. */
  readonly start: number;
  readonly end: number;
}

/** A JPEG without its APPn and COM segments, but for what its colours need, and without anything after its end. null: not understood. */
export function stripJpeg(bytes: Buffer): StrippedPhoto | null {
  const kept: Buffer[] = [Buffer.from([0xff, SOI])];
  let exif: ExifFacts = NO_EXIF;
  let at = 2;
  for (;;) {
    const segment = segmentAt(bytes, at);
    if (segment === null) return null;
    const whole = bytes.subarray(segment.start, segment.end);
    const body = whole.subarray(4);
    if (segment.marker === EOI) {
      kept.push(whole);
      const turned = exif.orientation === 1 ? [] : [exifSegment(exif.orientation)];
      return { bytes: Buffer.concat([kept[0]!, ...turned, ...kept.slice(1)]), exif };
    }
    if (segment.marker === APP1 && startsWith(body, EXIF)) exif = readExif(body.subarray(EXIF.length));
    if (isKept(segment.marker, body)) kept.push(whole);
    at = segment.end;
    if (segment.marker === SOS) {
      const end = endOfScan(bytes, at);
      kept.push(bytes.subarray(at, end));
      at = end;
    }
  }
}

function isKept(marker: number, body: Buffer): boolean {
  if (marker === APP0 || marker === APP14) return true;
  if (marker === APP2) return startsWith(body, ICC);
  return !(marker >= APP0 && marker <= APP15) && marker !== COM;
}

function segmentAt(bytes: Buffer, from: number): Segment | null {
  let at = from;
  if (bytes[at] !== 0xff) return null;
  // Fill bytes (B.1.1.2).
  while (bytes[at + 1] === 0xff) at += 1;
  const marker = bytes[at + 1];
  if (marker === undefined || marker === 0) return null;
  if (marker === EOI || (marker >= 0xd0 && marker <= SOI) || marker === 0x01) return { marker, start: at, end: at + 2 };
  if (at + 4 > bytes.length) return null;
  const end = at + 2 + bytes.readUInt16BE(at + 2);
  return end < at + 4 || end > bytes.length ? null : { marker, start: at, end };
}

/** Entropy-coded data ends at a marker that is neither a stuffed zero nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

function exifSegment(orientation: number): Buffer {
  const tiff = orientationOnly(orientation);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xff00 | APP1, 0);
  head.writeUInt16BE(2 + EXIF.length + tiff.length, 2);
  return Buffer.concat([head, Buffer.from(EXIF, 'latin1'), tiff]);
}

function startsWith(body: Buffer, text: string): boolean {
  return body.toString('latin1', 0, text.length) === text;
}
