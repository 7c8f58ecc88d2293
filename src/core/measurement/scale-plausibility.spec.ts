import { scaleFault } from './scale-plausibility.js';

const PHONE = { widthPx: 4032, heightPx: 3024 };

describe('a stated scale', () => {
  it.each([0.004_999, 0, -0.2, 5.000_1, 100, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %s mm a pixel is no photo’s',
    (mmPerPixel) => {
      expect(scaleFault(mmPerPixel, null)).toMatchObject({ code: 'calibration.implausible', kind: 'unprocessable' });
    },
  );

  it.each([
    ['more than 3 m', 0.75, PHONE],
    ['more than 3 m on end', 0.75, { widthPx: 3024, heightPx: 4032 }],
    ['less than 5 mm', 0.005, { widthPx: 640, heightPx: 480 }],
  ])('with which the photo shows %s is not plausible', (words, mmPerPixel, size) => {
    expect(scaleFault(mmPerPixel, size)?.detail).toContain(words.replace(' on end', ''));
  });

  it.each([
    [0.005, null],
    [5, null],
    [0.2137, PHONE],
    [0.744, PHONE],
    [5, { widthPx: 600, heightPx: 400 }],
    [0.05, { widthPx: 100, heightPx: 80 }],
  ])('of %s mm a pixel is taken', (mmPerPixel, size) => {
    expect(scaleFault(mmPerPixel, size)).toBeNull();
  });
});
