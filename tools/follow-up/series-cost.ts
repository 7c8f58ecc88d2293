import { followSeries } from '../../src/core/followup/verdict.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';
import { randomNumbers, simulateWound } from './simulated-wounds.js';

const SHIPPED = { areaRepeatabilityPct: 9.3, scaleUncertaintyPct: 1.2 };

/** A wound that stands still, seen each week, with a form each time. */
export function statedWound(visits: number): readonly AssessmentInSeries[] {
  const course = { kind: 'steady', pctPerWeek: 0, daysApart: 7, visits, isStated: true } as const;
  return simulateWound(course, SHIPPED, randomNumbers(3)).photos;
}

/** Milliseconds of processor time, which a busy machine stretches less than the clock. The quickest of three, as the first one compiles. */
function costMs(visits: number): number {
  const costs = [1, 2, 3].map(() => {
    const photos = statedWound(visits);
    const before = process.cpuUsage();
    followSeries(photos);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

// As a program: prints what it costs to follow 125 and 500 assessments.
if (process.argv[1]?.endsWith('series-cost.mjs') === true)
  process.stdout.write(JSON.stringify({ 125: costMs(125), 500: costMs(500) }));
