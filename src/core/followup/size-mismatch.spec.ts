import { drawFindings, squareOf } from '../../../test/support/wound-results.js';
import { sizeMismatch } from './size-mismatch.js';

/** A square photo of 4 cm², 2 cm a side. */
const photo = drawFindings(squareOf(4));
const side = photo.figures!.length.cm!.value;

describe('the size by the bedside ruler', () => {
  it('contradicts the photo where both sides are far longer or far shorter', () => {
    expect(sizeMismatch(photo, { lengthCm: 9, widthCm: 6 })).toBeGreaterThan(3);
    expect(sizeMismatch(photo, { lengthCm: 0.9, widthCm: 0.6 })).toBeGreaterThan(2);
  });

  it('contradicts it where the areas differ by more than two', () =>
    expect(sizeMismatch(photo, { lengthCm: 4 * side, widthCm: 0.9 * side })).not.toBeNull());

  it('does not where one side was laid from head to toe, where a side was not stated, or without a scale', () => {
    expect(sizeMismatch(photo, { lengthCm: 1.3 * side, widthCm: 0.9 * side })).toBeNull();
    expect(sizeMismatch(photo, { widthCm: 0.9 * side, lengthCm: side })).toBeNull();
    expect(sizeMismatch(photo, { lengthCm: 9 })).toBeNull();
    expect(sizeMismatch(photo, null)).toBeNull();
    expect(sizeMismatch(drawFindings({ ...squareOf(4), mmPerPixel: null }), { lengthCm: 9, widthCm: 6 })).toBeNull();
  });
});
