import type { ErasedPhoto, PhotoKeeper } from './photo-keeper.js';

/** The registry of everything that keeps copies of photos. An adapter that keeps some declares itself here, and deleting an image reaches it. */
export class PhotoKeepers {
  private readonly keepers = new Set<PhotoKeeper>();

  declare(keeper: PhotoKeeper): void {
    this.keepers.add(keeper);
  }

  /** One after another; the first failure ends it, and a repeat continues. */
  async erase(photo: ErasedPhoto): Promise<void> {
    for (const keeper of this.keepers) await keeper.erase(photo);
  }
}
