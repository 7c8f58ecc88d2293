import { detectImageFormat, FORMAT_SIGNATURE_BYTES } from '../../core/images/image-format.js';
import type { StrippedPhoto } from './exif.js';
import { stripJpeg } from './strip-jpeg.js';
import { stripPng } from './strip-png.js';
import { stripWebp } from './strip-webp.js';

/**
 * Takes everything out of a JPEG, PNG or WebP that is not needed to show it: place, maker notes, names, thumbnails, comments, and what
 * is appended. The pixels are not encoded anew. null: the file is built in a way that is not understood.
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
    // Read past its end.
    return null;
  }
}
