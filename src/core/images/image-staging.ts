import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { IdSource } from '../ports/id-source.js';
import type { ImageInspector } from './image-inspector.js';
import type { Digest } from '../ports/digest.js';
import type { ImageRepository, StoredUpload } from './image.repository.js';
import type { ObjectStore } from './object-store.js';
import type { UnitOfWork, TenantTransaction } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import { describeUnknownFormat, detectImageFormat, FORMAT_SIGNATURE_BYTES } from './image-format.js';
import { contentTypeOf, imageFolder, unreadableFault, type ImageRecord } from './image.js';
import { newImage } from './new-image.js';
import type { StorageAllowance } from './storage-allowance.js';

export interface ImageStagingPorts {
  readonly unitOfWork: UnitOfWork;
  readonly images: ImageRepository;
  readonly store: ObjectStore;
  readonly inspector: ImageInspector;
  readonly digest: Digest;
  readonly allowance: StorageAllowance;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A photo that lies in the store and is not yet one of the service. */
export interface StagedImage {
  readonly image: ImageRecord;
  readonly upload: StoredUpload;
}

/** Longer than any request takes; after it, what was neither kept nor discarded goes. */
const STAGED_LIFE_S = 3600;
const SWEEP_LIMIT = 50;

/**
 * Photos whose bytes came with a message. Judging and storing them is slow and happens before the message's transaction: a record that awaits
 * its upload is written first, so that a crash leaves no bytes that nobody knows of; `sweep` removes them.
 */
export class ImageStaging {
  constructor(
    private readonly ports: ImageStagingPorts,
    private readonly maxBytes: number,
  ) {}

  /** `image.too_large`, `image.type`, `image.unreadable`, `image.damaged`, `storage.limit`; none leaves anything behind. */
  async stage(tenant: Tenant, bytes: Uint8Array): Promise<StagedImage> {
    if (bytes.length > this.maxBytes)
      throw new SuturaError('image.too_large', {
        detail: `The photo is over the limit of ${this.maxBytes} bytes. Send a smaller one.`,
      });
    const format = detectImageFormat(bytes.subarray(0, FORMAT_SIGNATURE_BYTES));
    if (format === null)
      throw new SuturaError('image.type', { detail: describeUnknownFormat(bytes.subarray(0, FORMAT_SIGNATURE_BYTES)) });
    const verdict = await this.ports.inspector.inspect(() => Promise.resolve(bytes), format);
    if (!verdict.readable) throw unreadableFault(verdict.reason);
    await this.ports.allowance.require(tenant.organizationId, bytes.length);
    const upload = { sizeBytes: bytes.length, sha256: this.ports.digest.sha256(bytes), verdict };
    const image = this.newImage(tenant, upload);
    await this.ports.unitOfWork.inTenant(tenant, (transaction) => this.ports.images.insert(transaction, image));
    const staged = { image, upload };
    try {
      await this.ports.store.put(image.objectKey, bytes, contentTypeOf(format));
    } catch (fault) {
      await this.discard(staged);
      throw fault;
    }
    return staged;
  }

  /** Inside the message's transaction: from its commit on the photo is one of the service. `service.unavailable` where it came too late. */
  async keep(transaction: TenantTransaction, { image, upload }: StagedImage): Promise<void> {
    if (!(await this.ports.images.markStored(transaction, image.id, upload)))
      throw new SuturaError('service.unavailable', { retryAfterS: 1 });
    this.ports.allowance.note(image.organizationId, upload.sizeBytes);
  }

  /** Removes the attachment of a message that was not kept. Never throws: the sweep removes leftovers. */
  async discard({ image }: StagedImage): Promise<void> {
    try {
      await this.ports.unitOfWork.inTenant(tenantOf(image), async (transaction) => {
        const current = await this.ports.images.findForUpdate(transaction, image.id);
        if (current?.status === 'awaiting_upload') await this.erase(transaction, current);
      });
    } catch {
      // The database or the store is unavailable.
    }
  }

  /** Removes what a crash left behind. How many. */
  sweep(): Promise<number> {
    return this.ports.unitOfWork.inSystem(async (transaction) => {
      const forgotten = await this.ports.images.findForgotten(transaction, SWEEP_LIMIT);
      for (const image of forgotten) await this.erase(transaction.about(image), image);
      return forgotten.length;
    });
  }

  private async erase(transaction: TenantTransaction, image: ImageRecord): Promise<void> {
    await this.ports.store.deleteAll(imageFolder(image.id));
    await this.ports.images.markDeleted(transaction, image.id);
  }

  /** The record is complete from the start: other entries of the same message may read it before it is kept. */
  private newImage(tenant: Tenant, upload: StoredUpload): ImageRecord {
    const { ids, clock } = this.ports;
    const announced = { contentType: null, contentLength: upload.sizeBytes, sha256: null };
    return {
      ...newImage(tenant, {
        id: ids.next(),
        origin: 'message',
        awaited: false,
        announced,
        maxBytes: this.maxBytes,
        lifeS: STAGED_LIFE_S,
        now: clock.now(),
      }),
      ...upload,
    };
  }
}
