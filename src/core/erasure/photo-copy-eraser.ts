import type { Tenant } from '../tenancy/tenant.js';

/** A photo that is being erased. */
export interface ErasedPhoto {
  readonly tenant: Tenant;
  readonly imageId: string;
  /** Of the bytes as they came in, hex, lower case; null: none ever came. */
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
}

/**
 * An eraser of photo bytes, or of pictures of them, outside the photo's folder of the object store: received messages, results that wait to be
 * sent. Each declares itself to PhotoCopyErasers, and erases its copies in its own way.
 */
export abstract class PhotoCopyEraser {
  /**
   * Erases every byte of the photo and of pictures of it, and notes the removal where it kept them. A repeat does nothing. Throws if something
   * could not be erased: the photo then does not count as erased.
   */
  abstract erase(photo: ErasedPhoto): Promise<void>;
}
