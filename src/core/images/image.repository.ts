import type { ImageRecord, ImageVerdict } from './image.js';
import type { TenantTransaction, SystemTransaction } from '../ports/unit-of-work.js';

export interface StoredUpload {
  readonly sizeBytes: number;
  /** Hex, lower case. */
  readonly sha256: string;
  readonly verdict: ImageVerdict;
}

export abstract class ImageRepository {
  abstract insert(transaction: TenantTransaction, image: ImageRecord): Promise<void>;
  /** null for an unknown or malformed id and for another tenant's. */
  abstract find(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null>;
  /** Ids of stored images with these bytes (SHA-256, hex), oldest first. */
  abstract listByDigest(transaction: TenantTransaction, sha256: string, limit: number): Promise<string[]>;
  /** As find, and keeps the image from being deleted until the transaction ends; others may use it too. */
  abstract findForUse(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null>;
  /** As find, and keeps the row locked until the transaction ends. */
  abstract findForUpdate(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null>;
  /** As findForUse, for one transaction at a time, and its bytes do not arrive until that ends. */
  abstract findForWaiting(transaction: TenantTransaction, imageId: string): Promise<ImageRecord | null>;
  /** By id alone, over all tenants, in one round trip outside any transaction: for an upload whose signature has been checked. */
  abstract readAnywhere(imageId: string): Promise<ImageRecord | null>;
  /** awaiting_upload → stored, and the row is held until the transaction ends. null where the image was no longer awaiting its upload. */
  abstract markStored(
    transaction: TenantTransaction,
    imageId: string,
    upload: StoredUpload,
  ): Promise<Pick<ImageRecord, 'awaited'> | null>;
  abstract assignPatient(transaction: TenantTransaction, imageId: string, patientId: string): Promise<void>;
  /** From now on the arrival of its bytes is announced. The caller holds the row (findForWaiting). */
  abstract markAwaited(transaction: TenantTransaction, imageId: string): Promise<void>;
  /**
   * Images whose bytes came with a message that was never kept, or that were being fetched, and whose time has passed; their rows stay locked.
   * Only in a system transaction.
   */
  abstract findForgotten(transaction: SystemTransaction, limit: number): Promise<ImageRecord[]>;
  /**
   * Images that a client asked an address for and never used: it ended a day ago, and nothing waits for them.
   * Only in a system transaction.
   */
  abstract findUnused(transaction: SystemTransaction, limit: number): Promise<ImageRecord[]>;
  /** Of stored images, attachments and requests that wait for a person, both environments together. Only in a system transaction. */
  abstract bytesKept(transaction: SystemTransaction, organizationId: string): Promise<number>;
  /** → deleted. */
  abstract markDeleted(transaction: TenantTransaction, imageId: string): Promise<void>;
}
