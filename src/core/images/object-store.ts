import { isSuturaError } from '../errors/sutura-error.js';
import type { AnnouncedUpload } from './image.js';

/** The request with which a client puts one object. */
export interface SignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface UploadGrant {
  readonly imageId: string;
  readonly objectKey: string;
  readonly announced: AnnouncedUpload;
  readonly maxBytes: number;
  readonly expiresAt: Date;
}

/** An object that a client sent to the store by a signed address. */
export interface ReceivedObject {
  readonly bytes: Uint8Array;
  /** The media type that it was sent as, in lower case and without parameters; null where the store does not say. */
  readonly contentType: string | null;
}

/** The store of all bytes. Core makes the object keys: 'images/<id>/original', 'images/<id>/mask-<job id>'. */
export abstract class ObjectStore {
  /**
   * 'gateway': uploads arrive at our own endpoint, which judges them on arrival.
   * 'store': the store takes them directly and they are judged when a job is created.
   */
  abstract readonly uploadsArriveAt: 'gateway' | 'store';
  abstract signUpload(grant: UploadGrant): Promise<SignedUpload>;
  /** A short-lived address for reading, or null where the gateway itself must serve the bytes. */
  abstract signDownload(objectKey: string, contentType: string, lifeS: number): Promise<string | null>;
  /** Atomic: either the whole object or nothing. Overwrites. `service.storage_full` when there is no room. */
  abstract put(objectKey: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * null: no such object. `maxBytes` exceeded: throws `image.too_large` without reading on. A store that encrypts:
   * `storage.key_missing`, and `storage.altered` where the bytes are not those that were put there.
   */
  abstract get(objectKey: string, maxBytes?: number): Promise<Uint8Array | null>;
  /** As get, with what the store keeps of how it was sent; asked only where uploads arrive at the store. */
  abstract getReceived(objectKey: string, maxBytes: number): Promise<ReceivedObject | null>;
  /** Deletes all objects below the prefix; none is no error. */
  abstract deleteAll(prefix: string): Promise<void>;
  /** Throws where the store cannot be used; for readiness. */
  abstract check(): Promise<void>;
}

/** The bytes of an object as they were put there; null where the store has lost or changed them. `storage.key_missing`. */
export async function intactBytes(store: Pick<ObjectStore, 'get'>, objectKey: string): Promise<Uint8Array | null> {
  try {
    return await store.get(objectKey);
  } catch (fault) {
    if (isSuturaError(fault, 'storage.altered')) return null;
    throw fault;
  }
}
