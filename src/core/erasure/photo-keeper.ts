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
 * Whoever keeps bytes of photos, or pictures of them, anywhere but in the photo's folder of the object store: messages as they came in, results
 * that wait to be sent, documents that were made. Each declares itself to PhotoKeepers, and erases in its own words what it has.
 */
export abstract class PhotoKeeper {
  /**
   * Leaves no byte of the photo, nor of a picture of it, and says in what it keeps what was taken out. Repeating it does nothing. Throws where
   * something could not be erased: the photo is then not said to be.
   */
  abstract erase(photo: ErasedPhoto): Promise<void>;
}
