import { PhotoCopyEraser, type ErasedPhoto } from '../erasure/photo-copy-eraser.js';
import type { RemoteImageRepository } from './remote-image.repository.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { PhotoCopyErasers } from '../erasure/photo-copy-erasers.js';

/** Forgets the address of a photo that is still to be fetched, once its image is erased. */
export class RemoteImageEraser extends PhotoCopyEraser {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly remote: RemoteImageRepository,
    erasers: PhotoCopyErasers,
  ) {
    super();
    erasers.declare(this);
  }

  erase({ imageId }: ErasedPhoto): Promise<void> {
    return this.unitOfWork.inSystem((transaction) => this.remote.remove(transaction, imageId));
  }
}
