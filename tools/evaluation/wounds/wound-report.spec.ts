import { toWoundTable } from './wound-table.js';
import type { JudgedBounds } from './wound-case.js';
import { summariseWounds, type WoundCase } from './wound-report.js';

const MODEL = { name: 'wound-segmentation', version: '1.2.3', sha256: 'ab'.repeat(32), researchOnly: true };

function caseOf(
  id: string,
  [labelledPx, foundPx, sharedPx]: readonly [number, number, number],
  more: Partial<WoundCase> = {},
): WoundCase {
  return {
    id,
    photo: { widthPx: 512, heightPx: 512 },
    overlap: { labelledPx, foundPx, sharedPx },
    hausdorff95Px: labelledPx > 0 && foundPx > 0 ? 10 : null,
    measuredAreaPx: foundPx,
    outlines: [],
    missedWounds: 0,
    detection: { confidence: 1, isTrue: foundPx > 0 === labelledPx > 0 },
    analyseMs: 100,
    stepsMs: { decodeMs: 20, inferenceMs: 60 },
    ...more,
  };
}

const outlined = (bounds: JudgedBounds) => ({ confidence: 1, isTrue: true, bounds });

// Dice 1, 0.5 and 0 of labelled pictures; of the empty ones the second has a false alarm.
const CASES = [
  caseOf('a', [500, 500, 500], { outlines: [outlined({ labelledPx: 500, hold: true, halfWidth: 0.2 })] }),
  caseOf('b', [1000, 1000, 500], { outlines: [outlined({ labelledPx: 1000, hold: false, halfWidth: 0.3 })] }),
  caseOf('c', [7000, 0, 0], {
    missedWounds: 1,
    analyseMs: 200,
    stepsMs: { decodeMs: 20, inferenceMs: 60, refineMs: 80 },
  }),
  caseOf('d', [0, 0, 0]),
  caseOf('e', [0, 300, 0], { outlines: [{ confidence: 1, isTrue: false, bounds: null }] }),
];
const report = summariseWounds(CASES, [MODEL], 'cpu');

describe('summariseWounds', () => {
  it('has no figure where there is nothing to take it from', () => {
    const empty = summariseWounds([caseOf('d', [0, 0, 0])], [MODEL], 'cpu');
    expect([
      empty.dice.dataSet.value,
      empty.dice.mean.value,
      empty.precision.value,
      empty.hausdorff95.meanPx.value,
      empty.areaBounds.coverage.value,
    ]).toEqual([null, null, null, null, null]);
    expect(toWoundTable(empty)).toContain('–');
  });

  it('keeps pictures with an empty label out of the means and in the data set', () => {
    expect(report.pictures).toEqual({ count: 5, labelled: 3, missed: 1, emptyLabel: 2, emptyLabelStayedEmpty: 1 });
    expect(report.dice.mean.value).toBeCloseTo(0.5, 12);
    expect(report.dice.dataSet.value).toBeCloseTo(2000 / 10_300, 12);
    expect(report.precision.value).toBeCloseTo(1000 / 1800, 12);
    expect(report.recall.value).toBeCloseTo(1000 / 8500, 12);
    expect(report.iou.dataSet.value).toBeCloseTo(1000 / 9300, 12);
    expect(report.iou.mean.value).toBeCloseTo((1 + 1 / 3 + 0) / 3, 12);
  });

  it('measures borders only where there are two, in pixels and in diagonals', () => {
    expect(report.hausdorff95).toMatchObject({ pictures: 2, meanPx: { value: 10 }, medianPx: { value: 10 } });
    expect(report.hausdorff95.meanShareOfDiagonal.value).toBeCloseTo(10 / Math.hypot(512, 512), 12);
  });

  it('counts a missed wound as wholly wrong in area and outside of bounds', () => {
    expect(report.areaError).toMatchObject({ pictures: 3, medianAbsolute: { value: 0 }, medianBias: { value: 0 } });
    expect(report.areaError.meanBias.value).toBeCloseTo(-1 / 3, 12);
    expect(report.areaBounds).toMatchObject({
      labelledWounds: 3,
      outlinedWounds: 2,
      coverageOfOutlined: { value: 0.5 },
    });
    expect(report.areaBounds.coverage.value).toBeCloseTo(1 / 3, 12);
  });

  it('says of each size how many bounds held, and how wide they were', () => {
    expect(report.areaBounds.medianHalfWidth.value).toBeCloseTo(0.25, 12);
    expect(
      report.areaBounds.bySize.map(({ fromPx, outlinedWounds, coverageOfOutlined, medianHalfWidth }) => [
        fromPx,
        outlinedWounds,
        coverageOfOutlined.value,
        medianHalfWidth.value,
      ]),
    ).toEqual([
      [0, 1, 1, 0.2],
      [600, 1, 0, 0.3],
      [2000, 0, null, null],
      [6000, 0, null, null],
    ]);
    expect(toWoundTable(report)).toMatch(/600 to 2000 px \(n = 1\), in its bounds\s+0\.0 %/);
    expect(toWoundTable(report)).toMatch(/… median half-width\s+20\.0 %/);
  });

  it('judges the confidence of outlines and of photos apart', () => {
    expect(report.confidence.outlines.count).toBe(3);
    expect(report.confidence.outlines.expectedCalibrationError.value).toBeCloseTo(1 / 3, 12);
    expect(report.confidence.photos.count).toBe(5);
    expect(report.confidence.photos.expectedCalibrationError.value).toBeCloseTo(2 / 5, 12);
  });

  it('sorts labelled pictures by the size of their wound', () => {
    expect(
      report.diceBySize.map(({ fromPx, toPx, pictures, meanDice }) => [fromPx, toPx, pictures, meanDice.value]),
    ).toEqual([
      [0, 600, 1, 1],
      [600, 2000, 1, 0.5],
      [2000, 6000, 0, null],
      [6000, null, 1, 0],
    ]);
  });

  it('says how long a photo took, and of each step only over the photos that had it', () => {
    expect(report.speed).toEqual({
      imagesPerSecond: 1000 / 120,
      msPerImage: 120,
      stepsMs: { decodeMs: 20, inferenceMs: 60, refineMs: 80 },
    });
  });

  it('carries 95 % intervals that hold their figure, the same in every run', () => {
    const { value, lower, upper } = report.dice.dataSet;
    expect(lower).toBeLessThanOrEqual(value!);
    expect(upper).toBeGreaterThanOrEqual(value!);
    expect(summariseWounds(CASES, [MODEL], 'cpu')).toEqual(report);
  });

  it('lists every picture', () => {
    expect(report.cases).toHaveLength(5);
    expect(report.cases[1]).toEqual({
      id: 'b',
      dice: 0.5,
      hausdorff95Px: 10,
      labelledPx: 1000,
      foundPx: 1000,
      measuredAreaPx: 1000,
      outlines: 1,
    });
  });
});

describe('toWoundTable', () => {
  it('names the model and prints figures with their intervals', () => {
    const table = toWoundTable(report);
    expect(table).toContain('wound-segmentation 1.2.3 (sha256 abababababab…) on cpu');
    expect(table).toMatch(/Dice of the data set \(pooled\)\s+0\.194 {3}0\.\d{3} to \d\.\d{3}/);
    expect(table).toMatch(/6000 px and more \(n = 1\)\s+0\.000$/m);
    expect(table).toMatch(/… refine\s+80\.0 ms/);
  });
});
