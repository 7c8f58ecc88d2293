import type { ErasedPhoto, PhotoCopyEraser } from './photo-copy-eraser.js';

/** The registry of everything that keeps copies of photos. An adapter that keeps some declares itself here, and deleting an image reaches it. */
export class PhotoCopyErasers {
  private readonly erasers = new Set<PhotoCopyEraser>();

  declare(eraser: PhotoCopyEraser): void {
    this.erasers.add(eraser);
  }

  /** One after another; the first failure ends it, and a repeat continues. */
  async erase(photo: ErasedPhoto): Promise<void> {
    for (const eraser of this.erasers) await eraser.erase(photo);
  }
}
