import type { ErasedPhoto, PhotoKeeper } from './photo-keeper.js';

/** Everyone who keeps copies of photos. An adapter that begins to keep some declares itself here, and DELETE of an image reaches it. */
export class PhotoKeepers {
  private readonly keepers = new Set<PhotoKeeper>();

  declare(keeper: PhotoKeeper): void {
    this.keepers.add(keeper);
  }

  /** One after another; the first that fails ends it, and a repeat goes on. */
  async erase(photo: ErasedPhoto): Promise<void> {
    for (const keeper of this.keepers) await keeper.erase(photo);
  }
}
