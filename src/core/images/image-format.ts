import type { ImageFormat } from './image.js';

/** Enough leading bytes to tell the format. */
export const FORMAT_SIGNATURE_BYTES = 12;

/** Brands of ISO 14496-12 files that hold HEIC (ISO 23008-12) and AVIF pictures. */
const HEIF_BRANDS: readonly string[] = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'avif', 'avis'];

/** Why bytes that are of no format of ours are refused, with what to do: for `image.type`. */
export function describeUnknownFormat(head: Uint8Array): string {
  if (!isHeif(head)) return 'Send a JPEG, PNG or WebP photo. GIF, TIFF, SVG, PDF and others are not read.';
  return 'This is a HEIC photo, which is not read. Send it as JPEG: on an iPhone choose Settings > Camera > Formats > Most Compatible, or export the photo as JPEG.';
}

function isHeif(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(4, FORMAT_SIGNATURE_BYTES));
  return text.startsWith('ftyp') && HEIF_BRANDS.includes(text.slice(4));
}

/**
 * The format by its leading bytes; the Content-Type header is not asked.
 * Sources: JPEG ITU-T T.81 B.1.1.3 (SOI), PNG ISO/IEC 15948 5.2, WebP RFC 9649 2.4.
 */
export function detectImageFormat(head: Uint8Array): ImageFormat | null {
  if (startsWith(head, 0, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(head, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  const riff = startsWith(head, 0, [0x52, 0x49, 0x46, 0x46]);
  return riff && startsWith(head, 8, [0x57, 0x45, 0x42, 0x50]) ? 'webp' : null;
}

function startsWith(bytes: Uint8Array, offset: number, expected: readonly number[]): boolean {
  return bytes.length >= offset + expected.length && expected.every((byte, index) => bytes[offset + index] === byte);
}
