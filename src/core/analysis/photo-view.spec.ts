import { overlayInfo } from './photo-view.js';

describe('the overlay', () => {
  it.each([
    [4000, 3000, 1600, 1200],
    [300, 4000, 120, 1600],
    [640, 480, 640, 480],
  ])('of %d × %d is %d × %d', (widthPx, heightPx, width, height) => {
    expect(overlayInfo({ widthPx, heightPx })).toEqual({ contentType: 'image/jpeg', width, height });
  });
});
