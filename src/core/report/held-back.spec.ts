import { findingsWithArea, findingsWithoutWound, reportsOf } from '../../../test/support/sample-report.js';
import type { AssessmentFindings } from '../followup/assessment.js';
import { isHeldBack } from './held-back.js';

const good = findingsWithArea(9, { quality: { ...findingsWithArea(9).quality, warnings: [] } });
const withWarning = (warning: AssessmentFindings['quality']['warnings'][number]) => ({
  ...good,
  quality: { ...good.quality, warnings: [warning] },
});
const doubted = { score: 0.1, expectedDice: { value: 0.4, lower: 0, upper: 0.8 }, outlineReliable: false };
const heldBack = (findings: AssessmentFindings, before: readonly (number | AssessmentFindings)[] = []) =>
  isHeldBack(reportsOf({ weeks: [...before, findings], observed: [] }).at(-1)!.content);

describe('what no policy issues as final before a person has looked', () => {
  it.each<[string, AssessmentFindings]>([
    ['a poor photo', { ...good, quality: { ...good.quality, acceptable: false } }],
    ['a doubtful outline', { ...good, familiarity: doubted }],
    ['a result that the software is not sure of', withWarning('uncertain')],
    ['a scale that the card contradicts', withWarning('scale_mismatch')],
    ['competing outlines', { ...good, ambiguous: true }],
  ])('is %s', (_, findings) => expect(heldBack(findings)).toBe(true));

  it('is a photo without a wound where one was before, and a jump of the area', () => {
    expect(heldBack(findingsWithoutWound(), [9])).toBe(true);
    expect(heldBack(findingsWithArea(60), [9])).toBe(true);
  });

  it('is a size that the bedside ruler contradicts', () => {
    const [report] = reportsOf({ weeks: [good], observed: [{ lengthCm: 20, widthCm: 14 }] });
    expect(isHeldBack(report!.content)).toBe(true);
  });

  it('is none of these once a person has accepted it, and no good photo', () => {
    const review = {
      decision: 'accept',
      reviewer: { id: 'N-7', name: 'A. Nurse' },
      note: null,
      reviewedAt: '2025-09-03T08:00:00.000Z',
    } as const;
    const poor = { ...good, quality: { ...good.quality, acceptable: false } };
    expect(isHeldBack(reportsOf({ weeks: [poor], content: { review } })[0]!.content)).toBe(false);
    expect([heldBack(good), heldBack(good, [9.5])]).toEqual([false, false]);
  });
});
