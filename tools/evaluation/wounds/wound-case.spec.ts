import { rectangleMask } from '../../../test/support/drawn-mask.js';
import { compareWithLabel, numberOutlines, type JudgedAnalysis } from './wound-case.js';

const PHOTO = { widthPx: 40, heightPx: 30 };
const labelOf = (x: number, y: number, width: number, height: number) =>
  rectangleMask(PHOTO.widthPx, PHOTO.heightPx, { x, y, width, height });
const NO_LABEL = labelOf(0, 0, 0, 0);

interface Box {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly bounds?: readonly [lower: number, upper: number];
}

function analysisOf(boxes: readonly Box[], confidence = 0.9): JudgedAnalysis {
  const wounds = boxes.map(({ x, y, side, bounds = [0, 1e6] }) => ({
    confidence: 0.8,
    contour: {
      type: 'Polygon' as const,
      coordinates: [
        [
          [x, y],
          [x + side, y],
          [x + side, y + side],
          [x, y + side],
          [x, y],
        ] as [number, number][],
      ],
    },
    area: { pixels: side * side, pixelBounds: { lower: bounds[0], upper: bounds[1] }, cm2: null },
  }));
  return { photo: PHOTO, wounds, confidence };
}
const compare = (analysis: JudgedAnalysis, label = labelOf(10, 10, 10, 10)) =>
  compareWithLabel(analysis, label, numberOutlines(analysis));

describe('compareWithLabel', () => {
  it('calls a wound missed that has no outline', () => {
    const comparison = compare(analysisOf([]));
    expect(comparison).toMatchObject({
      overlap: { labelledPx: 100, foundPx: 0, sharedPx: 0 },
      hausdorff95Px: null,
      measuredAreaPx: 0,
      outlines: [],
      missedWounds: 1,
    });
    expect(comparison.detection).toEqual({ confidence: 0.9, isTrue: false });
  });

  it('calls an outline on an empty label untrue, and its bounds unjudged', () => {
    const comparison = compare(analysisOf([{ x: 10, y: 10, side: 10 }]), NO_LABEL);
    expect(comparison.outlines).toEqual([{ confidence: 0.8, isTrue: false, bounds: null }]);
    expect(comparison.detection.isTrue).toBe(false);
  });

  it('is right about a photo without a wound that stays empty', () => {
    expect(compare(analysisOf([]), NO_LABEL).detection.isTrue).toBe(true);
  });

  it('compares a shifted outline: half shared, five pixels off', () => {
    const comparison = compare(analysisOf([{ x: 15, y: 10, side: 10 }]));
    expect(comparison).toMatchObject({
      overlap: { labelledPx: 100, foundPx: 100, sharedPx: 50 },
      hausdorff95Px: 5,
      measuredAreaPx: 100,
      missedWounds: 1,
    });
    expect(comparison.outlines[0]?.isTrue).toBe(false);
  });

  it('asks of each outlined wound whether the expert’s area lies within the bounds, both ends included', () => {
    const within = (lower: number, upper: number) =>
      compare(analysisOf([{ x: 10, y: 10, side: 11, bounds: [lower, upper] }])).outlines[0]?.bounds?.hold;
    expect([within(101, 130), within(80, 99.9), within(100, 130), within(90, 100)]).toEqual([false, false, true, true]);
  });

  it('states how far its bounds lie apart, half of it, as a share of the outline', () => {
    const [outline] = compare(analysisOf([{ x: 10, y: 10, side: 10, bounds: [80, 130] }])).outlines;
    expect(outline?.bounds).toEqual({ labelledPx: 100, hold: true, halfWidth: 0.25 });
  });

  it('keeps two outlines apart', () => {
    const analysis = analysisOf([
      { x: 10, y: 10, side: 10 },
      { x: 30, y: 2, side: 5 },
    ]);
    const numbers = numberOutlines(analysis);
    expect([numbers[15 * 40 + 15], numbers[4 * 40 + 32], numbers[0]]).toEqual([1, 2, 0]);
    expect(compare(analysis).outlines.map(({ isTrue }) => isTrue)).toEqual([true, false]);
    expect(compare(analysis).measuredAreaPx).toBe(125);
  });
});
