import type { ExifFacts } from './exif.js';

/** A photo as it is served: the very pixels that came in, and of what stood beside them only how it is to be turned. */
export interface BarePhoto {
  readonly bytes: Buffer;
  /** What was taken out. */
  readonly exif: ExifFacts;
}
