import { PhotoKeeper, type ErasedPhoto } from '../erasure/photo-keeper.js';
import type { RemoteImageRepository } from './remote-image.repository.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import type { PhotoKeepers } from '../erasure/photo-keepers.js';

/** Forgets the address of a photo that is still to be fetched, once its image is erased. */
export class RemoteImageKeeper extends PhotoKeeper {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly remote: RemoteImageRepository,
    keepers: PhotoKeepers,
  ) {
    super();
    keepers.declare(this);
  }

  erase({ imageId }: ErasedPhoto): Promise<void> {
    return this.unitOfWork.inSystem((transaction) => this.remote.remove(transaction, imageId));
  }
}
