import type { DrawnPicture, PhotoView } from './photo-view.js';

/** Draws pictures from a photo. */
export abstract class PictureRenderer {
  /** One picture for each view, without any metadata of the photo, which is decoded once for all of them. */
  abstract draw(photo: Uint8Array, views: readonly PhotoView[]): Promise<DrawnPicture[]>;
}
