import { scaleBarFor } from './scale-bar.js';

describe('a scale bar', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('is not there for a scale of %d mm a pixel', (mmPerPixel) => {
    expect(scaleBarFor(mmPerPixel, 1000)).toBeNull();
  });

  it('is not there where even a millimetre is too long', () => {
    expect(scaleBarFor(0.001, 1000)).toBeNull();
  });

  it.each([
    [0.2, 4000, 200],
    [0.2, 1000, 50],
    [0.2, 500, 20],
    [0.05, 700, 10],
    [0.02, 300, 2],
  ])('at %d mm a pixel over %d pixels is %d mm long', (mmPerPixel, width, mm) => {
    expect(scaleBarFor(mmPerPixel, width)).toEqual({ mm, lengthPx: mm / mmPerPixel });
  });
});
