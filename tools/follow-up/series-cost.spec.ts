import { randomNumbers, simulateWound } from './simulated-wounds.js';
import { isComparable, warningsBetween } from '../../src/core/followup/area-change.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';
import { followSeries } from '../../src/core/followup/verdict.js';

const SHIPPED = { areaRepeatabilityPct: 9.3, scaleUncertaintyPct: 1.2 };

function photosOf(visits: number): readonly AssessmentInSeries[] {
  const course = { kind: 'steady', pctPerWeek: 0, daysApart: 7, visits, isStated: true } as const;
  return simulateWound(course, SHIPPED, randomNumbers(3)).photos;
}

/** Of processor time: a busy machine stretches the wall clock. The quickest of three, as the first one compiles. */
function costMs(visits: number): number {
  const costs = [1, 2, 3].map(() => {
    const photos = photosOf(visits);
    const before = process.cpuUsage();
    followSeries(photos);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

describe('following a wound of many assessments', () => {
  it('takes no more than a second of processor time for 500, and hardly more for each with their number', () => {
    const [few, many] = [costMs(125), costMs(500)];
    expect(many).toBeLessThan(1000);
    expect(Math.log(many / few) / Math.log(4)).toBeLessThan(1.5);
  });

  it('asks of a pair whether it is comparable as its warnings say', () => {
    const [photo] = photosOf(1);
    const findings = photo!.findings;
    const kinds: AssessmentInSeries[] = [
      photo!,
      { ...photo!, findings: { ...findings, model: 'another/1' } },
      { ...photo!, findings: { ...findings, model: 'another/1', outlineSource: 'reviewer_contour' } },
      { ...photo!, findings: { ...findings, scale: { ...findings.scale, source: 'client' } } },
      { ...photo!, findings: { ...findings, quality: { ...findings.quality, acceptable: false } } },
      { ...photo!, findings: { ...findings, familiarity: { ...DOUBTED } } },
      { ...photo!, reviewed: true, findings: { ...findings, familiarity: { ...DOUBTED } } },
    ];
    for (const one of kinds)
      for (const other of kinds) expect(isComparable(one, other)).toBe(warningsBetween(one, other).length === 0);
  });
});

const DOUBTED = { score: 0.3, expectedDice: { value: 0.4, lower: 0, upper: 0.8 }, outlineReliable: false };
