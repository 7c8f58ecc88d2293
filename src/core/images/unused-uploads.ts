import { isSuturaError } from '../errors/sutura-error.js';
import type { ImageRepository } from './image.repository.js';
import type { ObjectStore } from './object-store.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { tenantOf } from '../tenancy/tenant.js';
import { imageFolder, type ImageRecord } from './image.js';
import type { ImageService } from './image.service.js';
import { UPLOAD_FAULTS } from './upload-faults.js';

export interface UnusedUploadsPorts {
  readonly unitOfWork: UnitOfWork;
  readonly images: ImageRepository;
  readonly store: ObjectStore;
}

const SWEEP_LIMIT = 50;

/** Images that clients asked an address for and never sent. */
export class UnusedUploads {
  constructor(
    private readonly ports: UnusedUploadsPorts,
    private readonly service: Pick<ImageService, 'settleUpload'>,
  ) {}

  /**
   * Ends the images whose address ended a day ago without bytes; returns how many. Uploads that went straight to the store were never announced:
   * they are judged first and kept like any other photo, and only unusable files end with their address. A store that cannot be reached ends the
   * sweep, and the next one continues.
   */
  async sweep(): Promise<number> {
    const { unitOfWork, images } = this.ports;
    const unused = await unitOfWork.inSystem((transaction) => images.findUnused(transaction, SWEEP_LIMIT));
    let ended = 0;
    for (const image of unused) {
      await this.settle(image);
      if (await this.end(image)) ended += 1;
    }
    return ended;
  }

  private async settle(image: ImageRecord): Promise<void> {
    try {
      await this.service.settleUpload(tenantOf(image), image.id);
    } catch (fault) {
      if (!isSuturaError(fault, ...UPLOAD_FAULTS)) throw fault;
    }
  }

  private end(image: ImageRecord): Promise<boolean> {
    const { unitOfWork, images, store } = this.ports;
    const tenant = tenantOf(image);
    return unitOfWork.inTenant(tenant, async (transaction) => {
      const current = await images.findForUpdate(transaction, image.id);
      if (current?.status !== 'awaiting_upload' || current.awaited) return false;
      await store.deleteAll(imageFolder(image.id));
      await images.markDeleted(transaction, image.id);
      return true;
    });
  }
}
