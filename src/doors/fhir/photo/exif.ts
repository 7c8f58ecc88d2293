import type { ExifFacts } from '../../../core/images/exif.js';

export { NO_EXIF, orientationOnly, readExif, type ExifFacts } from '../../../core/images/exif.js';

/** A photo as it is served: the very pixels that came in, and of what stood beside them only how it is to be turned. */
export interface StrippedPhoto {
  readonly bytes: Buffer;
  /** The metadata that were removed. */
  readonly exif: ExifFacts;
}
