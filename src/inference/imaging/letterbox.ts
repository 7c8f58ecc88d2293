import type { ContentRegion, PhotoSize } from '../../core/measurement/probability-map.js';

/**
 * The place of a photo inside a frame of `width` × `height` pixels, scaled to fit without stretching, and centred.
 * Odd remainders leave the extra line at the lower or right edge.
 */
export function fitLetterbox(photo: PhotoSize, width: number, height: number): ContentRegion {
  const scale = Math.min(width / photo.widthPx, height / photo.heightPx);
  const fitted = (side: number, frame: number) => Math.min(frame, Math.max(1, Math.round(side * scale)));
  const contentWidth = fitted(photo.widthPx, width);
  const contentHeight = fitted(photo.heightPx, height);
  return {
    x: Math.floor((width - contentWidth) / 2),
    y: Math.floor((height - contentHeight) / 2),
    width: contentWidth,
    height: contentHeight,
  };
}
