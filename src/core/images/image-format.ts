import type { ImageFormat } from './image.js';

/** Enough leading bytes to tell the format. */
export const FORMAT_SIGNATURE_BYTES = 12;

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
