import { findingsWithArea, findingsWithoutWound, reportsOf } from '../../../test/support/sample-report.js';
import type { AssessmentFindings } from '../followup/assessment.js';
import { isDisbelieved, isHeldBack } from './held-back.js';

const good = findingsWithArea(9, { quality: { ...findingsWithArea(9).quality, warnings: [] } });
const withWarning = (warning: AssessmentFindings['quality']['warnings'][number]) => ({
  ...good,
  quality: { ...good.quality, warnings: [warning] },
});
const doubted = { score: 0.1, expectedDice: { value: 0.4, lower: 0, upper: 0.8 }, outlineReliable: false };
const ACCEPTED = {
  decision: 'accept',
  reviewer: { id: 'N-7', name: 'A. Nurse' },
  note: null,
  reviewedAt: '2025-09-03T08:00:00.000Z',
} as const;
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

  it('is every photo of a child until a person has looked: no model was tested on them', () => {
    const [report] = reportsOf({ weeks: [good], observed: [] });
    const content = { ...report!.content, comparison: { ...report!.content.comparison, ageGroup: 'newborn' as const } };
    expect([isHeldBack(content), isDisbelieved(content)]).toEqual([true, false]);
    expect(isHeldBack({ ...content, review: ACCEPTED })).toBe(false);
  });

  it('is a photo that nobody knows the time of, where there is an area that it may be from before', () => {
    const untimed = withWarning('camera_time_unused');
    expect([heldBack(untimed), heldBack(untimed, [9.5])]).toEqual([false, true]);
  });

  it('is none of these once a person has accepted it, and no good photo', () => {
    const poor = { ...good, quality: { ...good.quality, acceptable: false } };
    expect(isHeldBack(reportsOf({ weeks: [poor], content: { review: ACCEPTED } })[0]!.content)).toBe(false);
    expect([heldBack(good), heldBack(good, [9.5])]).toEqual([false, false]);
  });
});
