import { detectImageFormat, FORMAT_SIGNATURE_BYTES } from '../../../core/images/image-format.js';
import type { StrippedPhoto } from './exif.js';
import { stripJpeg } from './strip-jpeg.js';
import { stripPng } from './strip-png.js';
import { stripWebp } from './strip-webp.js';

/**
 * Removes everything from a JPEG, PNG or WebP that is not needed to show it: place, maker notes, names, thumbnails, comments, and
 * appended data. The pixels are not encoded anew. null: the structure of the file is not understood.
 */
export function withoutMetadata(bytes: Buffer): StrippedPhoto | null {
  try {
    switch (detectImageFormat(bytes.subarray(0, FORMAT_SIGNATURE_BYTES))) {
      case 'jpeg':
        return stripJpeg(bytes);
      case 'png':
        return stripPng(bytes);
      case 'webp':
        return stripWebp(bytes);
      case null:
        return null;
    }
  } catch {
    // The file ends early.
    return null;
  }
}
