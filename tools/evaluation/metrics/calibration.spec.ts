import { calibrationBins, expectedCalibrationError, type Statement } from './calibration.js';

const repeat = (count: number, confidence: number, isTrue: boolean): Statement[] =>
  Array.from({ length: count }, () => ({ confidence, isTrue }));

describe('expectedCalibrationError', () => {
  it('is not defined without statements', () => {
    expect(expectedCalibrationError([])).toBeNull();
  });

  it('is the whole confidence where nothing was true', () => {
    expect(expectedCalibrationError(repeat(4, 0.9, false))).toBeCloseTo(0.9, 12);
  });

  it('is 0 where three of four statements at 75 % were true', () => {
    expect(expectedCalibrationError([...repeat(3, 0.75, true), ...repeat(1, 0.75, false)])).toBeCloseTo(0, 12);
  });

  it('weighs the bins by their counts: 8 at 0.95 all true, 2 at 0.35 all false', () => {
    expect(expectedCalibrationError([...repeat(8, 0.95, true), ...repeat(2, 0.35, false)])).toBeCloseTo(
      0.8 * 0.05 + 0.2 * 0.35,
      12,
    );
  });

  it('puts a bin’s lower end into it and 1 into the last', () => {
    const bins = calibrationBins([...repeat(1, 0.1, true), ...repeat(2, 1, true), ...repeat(1, 0, false)]);
    expect(bins.map(({ count }) => count)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
    expect(bins[2]).toEqual({ from: 0.2, to: 0.3, count: 0, meanConfidence: null, shareTrue: null });
  });
});
