import { drawFindings, drawResult } from '../../../test/support/wound-results.js';
import { findingsOf } from '../followup/assessment.js';
import { closeUpOf, comparedViewsOf, overviewOf, planPhoto, widthCmOf } from './picture-views.js';

const plan = (drawn: Parameters<typeof drawResult>[0]) => {
  const result = drawResult(drawn);
  return planPhoto(findingsOf(result), result);
};

describe('the pictures of a report', () => {
  it('claim no scale where the photo has none', () => {
    const unscaled = plan({ mmPerPixel: null });
    for (const view of [overviewOf(unscaled), closeUpOf(unscaled, null)!, ...comparedViewsOf([unscaled])])
      expect([view.scaleBar, widthCmOf(view)]).toEqual([null, null]);
  });

  it('number every outline, and say which counts', () => {
    const { outlines } = overviewOf(
      plan({
        boxes: [
          [100, 100, 300, 300],
          [400, 100, 480, 160],
        ],
      }),
    );
    expect(outlines.map(({ number, counted }) => [number, counted])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('show the whole close-up within the photo, also of a wound at its edge', () => {
    const { frame } = closeUpOf(plan({ boxes: [[560, 420, 640, 480]] }), null)!;
    expect(frame.x + frame.width).toBeLessThanOrEqual(640);
    expect(frame.y + frame.height).toBeLessThanOrEqual(480);
    expect(frame.width).toBeGreaterThanOrEqual(120);
  });

  it('have no close-up where nothing was outlined', () => {
    expect(closeUpOf(plan({ boxes: [] }), null)).toBeNull();
  });

  it('stand side by side with equally many centimetres and equal scale bars', () => {
    const views = comparedViewsOf([plan({ mmPerPixel: 0.2 }), plan({ mmPerPixel: 0.35, boxes: [[50, 50, 300, 250]] })]);
    const [first, second] = views.map((view) => ({
      widthCm: widthCmOf(view),
      barMm: view.scaleBar!.mm,
      barPx: (view.scaleBar!.lengthPx * view.size.widthPx) / view.frame.width,
    }));
    expect(second!.widthCm).toBeCloseTo(first!.widthCm!, 9);
    expect(second!.barMm).toBe(first!.barMm);
    expect(second!.barPx).toBeCloseTo(first!.barPx, 9);
  });

  it('show what a person drew in place of what was found', () => {
    const findings = { ...drawFindings(), outlineSource: 'reviewer_contour' as const };
    const { outlines } = planPhoto(findings, drawResult({ boxes: [[0, 0, 9, 9]] }));
    expect(outlines).toEqual([{ polygon: findings.outlines[0], number: 1, counted: true }]);
  });
});
