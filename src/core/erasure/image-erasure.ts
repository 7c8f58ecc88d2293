import type { JobRepository } from '../analysis/job.repository.js';
import type { Outbox } from '../domain-events/outbox.js';
import { SuturaError } from '../errors/sutura-error.js';
import { imageFolder, requireImage, type ImageRecord } from '../images/image.js';
import type { ImageRepository } from '../images/image.repository.js';
import type { ObjectStore } from '../images/object-store.js';
import type { StorageAllowance } from '../images/storage-allowance.js';
import type { TenantTransaction, UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { LegalHolds } from './legal-holds.js';
import type { PhotoDocuments } from './photo-documents.js';
import type { PhotoCopyErasers } from './photo-copy-erasers.js';

export interface ImageErasurePorts {
  readonly unitOfWork: UnitOfWork;
  readonly images: ImageRepository;
  readonly jobs: JobRepository;
  readonly store: ObjectStore;
  readonly outbox: Outbox;
  readonly erasers: PhotoCopyErasers;
  readonly documents: PhotoDocuments;
  readonly allowance: StorageAllowance;
  readonly holds: LegalHolds;
}

/** Erases photos. Their results stay. */
export class ImageErasure {
  constructor(private readonly ports: ImageErasurePorts) {}

  /**
   * Erases the photo, every picture derived from it, every document that shows it and every copy that PhotoCopyErasers know of. `image.not_found`, `image.in_use`, `patient.on_hold`, and what a
   * eraser refuses with. The bytes go before the record says so: an interruption leaves a deletion that can be repeated, never a forgotten photo.
   * @param first done in the same transaction, before anything is erased
   */
  erase(
    tenant: Tenant,
    imageId: string,
    first: (transaction: TenantTransaction, image: ImageRecord) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { unitOfWork, images, jobs, store, outbox, erasers, documents, allowance, holds } = this.ports;
    return unitOfWork.inTenant(tenant, async (transaction) => {
      const image = requireImage(await images.findForUpdate(transaction, imageId));
      if (await jobs.hasUnfinished(transaction, image.id)) throw new SuturaError('image.in_use', { retryAfterS: 2 });
      if (await holds.holdsImage(image.id)) throw new SuturaError('patient.on_hold');
      await first(transaction, image);
      const { sha256, sizeBytes } = image;
      await erasers.erase({ tenant: tenantOf(tenant), imageId: image.id, sha256, sizeBytes });
      await documents.erase(transaction, image.id);
      await store.deleteAll(imageFolder(image.id));
      await images.markDeleted(transaction, image.id);
      await outbox.append(transaction, { kind: 'image.deleted', subjectId: image.id });
      allowance.note(image.organizationId, -(sizeBytes ?? 0));
    });
  }
}
