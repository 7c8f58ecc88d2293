import { areaError } from './area-error.js';

describe('areaError', () => {
  it('is not defined without pictures', () => {
    expect(areaError([])).toEqual({ medianAbsolute: null, meanAbsolute: null, medianBias: null, meanBias: null });
  });

  it('counts a missed wound with its whole area', () => {
    expect(areaError([{ labelledPx: 50, measuredPx: 0 }])).toMatchObject({ medianAbsolute: 1, meanBias: -1 });
  });

  it('keeps the sign in the bias and drops it in the error', () => {
    const error = areaError([
      { labelledPx: 100, measuredPx: 110 },
      { labelledPx: 200, measuredPx: 160 },
      { labelledPx: 1000, measuredPx: 1300 },
    ]);
    expect(error.medianAbsolute).toBeCloseTo(0.2, 12);
    expect(error.meanAbsolute).toBeCloseTo(0.2, 12);
    expect(error.medianBias).toBeCloseTo(0.1, 12);
    expect(error.meanBias).toBeCloseTo(0.2 / 3, 12);
  });
});
