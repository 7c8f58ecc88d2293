import type { ImageFormat, ImageVerdict } from './image.js';

/** Decodes an image once, completely, and says whether it can be analysed. */
export abstract class ImageInspector {
  /** The bytes begin with the signature of `format`; they are read when it is their turn. Never throws for bad pictures: that is the verdict. */
  abstract inspect(read: () => Promise<Uint8Array>, format: ImageFormat): Promise<ImageVerdict>;
}
