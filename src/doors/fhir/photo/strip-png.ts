import { crc32 } from 'node:zlib';
import { NO_EXIF, orientationOnly, readExif, type ExifFacts } from './exif.js';
import type { StrippedPhoto } from './exif.js';

const SIGNATURE_BYTES = 8;
/** ISO/IEC 15948: chunks that the pixels and their colours need. */
const KEPT = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'pHYs', 'bKGD'];

/** A PNG with the chunks alone that its picture needs. null: not understood. */
export function stripPng(bytes: Buffer): StrippedPhoto | null {
  const kept: { readonly type: string; readonly whole: Buffer }[] = [];
  let exif: ExifFacts = NO_EXIF;
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length) return null;
    if (type === 'eXIf') exif = readExif(bytes.subarray(at + 8, end - 4));
    if (KEPT.includes(type)) kept.push({ type, whole: bytes.subarray(at, end) });
    if (type === 'IEND') return { bytes: assemble(bytes, kept, exif.orientation), exif };
    at = end;
  }
  return null;
}

function assemble(
  bytes: Buffer,
  kept: readonly { readonly type: string; readonly whole: Buffer }[],
  orientation: number,
): Buffer {
  const firstData = kept.findIndex(({ type }) => type === 'IDAT');
  const wholes = kept.map(({ whole }) => whole);
  const turned = orientation === 1 ? [] : [chunk('eXIf', orientationOnly(orientation))];
  return Buffer.concat([
    bytes.subarray(0, SIGNATURE_BYTES),
    ...wholes.slice(0, firstData),
    ...turned,
    ...wholes.slice(firstData),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
