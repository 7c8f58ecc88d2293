import { detectImageFormat, FORMAT_SIGNATURE_BYTES } from '../../core/images/image-format.js';
import type { BarePhoto } from './bare-bytes.js';
import { bareJpeg } from './bare-jpeg.js';
import { barePng } from './bare-png.js';
import { bareWebp } from './bare-webp.js';

/**
 * Takes everything out of a JPEG, PNG or WebP that is not needed to show it: place, maker notes, names, thumbnails, comments, and what
 * is appended. The pixels are not encoded anew. null: the file is built in a way that is not understood.
 */
export function barePhoto(bytes: Buffer): BarePhoto | null {
  try {
    switch (detectImageFormat(bytes.subarray(0, FORMAT_SIGNATURE_BYTES))) {
      case 'jpeg':
        return bareJpeg(bytes);
      case 'png':
        return barePng(bytes);
      case 'webp':
        return bareWebp(bytes);
      case null:
        return null;
    }
  } catch {
    // Read past its end.
    return null;
  }
}
