import type { Verdict } from '../../src/core/followup/course.js';
import { followWounds, type FollowUpWound } from './how-often-wrong.js';
import { DEBRIDED_VISIT, type Course, type PhotoError } from './simulated-wounds.js';

/** Which visits of a wound are counted, by the true area. */
export type CountedVisits =
  | 'all'
  | '35 % below the first'
  | '35 % above the first'
  | '35 % above the smallest'
  | 'after the debridement';

const FAR = 0.35;

/** Share of the counted visits, from the second on, that have one of these verdicts; NaN where none is counted. */
export function verdictShare(
  followed: readonly FollowUpWound[],
  verdicts: readonly Verdict[],
  counted: CountedVisits,
): number {
  const told = followed.flatMap(({ wound, comparisons }) =>
    comparisons.filter((_, visit) => visit > 0 && isCounted(wound.trueAreasCm2, visit, counted)),
  );
  return told.filter(({ course }) => course !== undefined && verdicts.includes(course.verdict)).length / told.length;
}

function isCounted(areas: readonly number[], visit: number, counted: CountedVisits): boolean {
  const [area, first] = [areas[visit]!, areas[0]!];
  const smallest = Math.min(...areas.slice(0, visit + 1));
  const is: Readonly<Record<CountedVisits, boolean>> = {
    all: true,
    '35 % below the first': area <= first * (1 - FAR),
    '35 % above the first': area >= first * (1 + FAR),
    '35 % above the smallest': area >= smallest * (1 + FAR),
    'after the debridement': visit === DEBRIDED_VISIT,
  };
  return is[counted];
}

/** A family of wounds, what must not be said of it too often, and what must be said often enough. */
export interface VerdictLimit {
  readonly family: string;
  readonly course: Omit<Course, 'daysApart' | 'isStated'>;
  readonly counted: CountedVisits;
  readonly verdicts: readonly Verdict[];
  readonly is: 'at most' | 'at least';
  readonly share: number;
}

const VISITS = 16;
const TURNED_VISITS = 14;
const steady = (pctPerWeek: number) => ({ kind: 'steady', pctPerWeek, visits: VISITS }) as const;
const turning = (pctPerWeek: number) => ({ kind: 'turning', pctPerWeek, visits: TURNED_VISITS }) as const;
const WORSE: readonly Verdict[] = ['worsening', 'mixed'];

/** What is promised of the verdict (docs/follow-up.md, "How often they are wrong"). */
export const PROMISES: readonly VerdictLimit[] = [
  { family: 'stable', course: steady(0), counted: 'all', verdicts: WORSE, is: 'at most', share: 0.05 },
  { family: 'stable', course: steady(0), counted: 'all', verdicts: ['improving'], is: 'at most', share: 0.05 },
  ...[-5, -10, -20].map((pct): VerdictLimit => ({
    family: `healing by ${-pct} % a week`,
    course: steady(pct),
    counted: 'all',
    verdicts: WORSE,
    is: 'at most',
    share: 0.05,
  })),
  ...[-10, -20].map((pct): VerdictLimit => ({
    family: `healing by ${-pct} % a week`,
    course: steady(pct),
    counted: '35 % below the first',
    verdicts: ['improving'],
    is: 'at least',
    share: 0.8,
  })),
  ...[3, 5, 10].map((pct): VerdictLimit => ({
    family: `growing by ${pct} % a week`,
    course: steady(pct),
    counted: '35 % above the first',
    verdicts: ['worsening'],
    is: 'at least',
    share: 0.8,
  })),
  ...[5, 10, 20].flatMap((pct): VerdictLimit[] => [
    {
      family: `turned, growing by ${pct} % a week`,
      course: turning(pct),
      counted: '35 % above the smallest',
      verdicts: WORSE,
      is: 'at least',
      share: 0.8,
    },
    {
      family: `turned, growing by ${pct} % a week`,
      course: turning(pct),
      counted: '35 % above the smallest',
      verdicts: ['improving'],
      is: 'at most',
      share: 0.05,
    },
  ]),
  {
    family: 'healed by a third, then stalled',
    course: { kind: 'stalling', pctPerWeek: 0, visits: TURNED_VISITS },
    counted: 'all',
    verdicts: WORSE,
    is: 'at most',
    share: 0.05,
  },
  ...[0, -10].map((pct): VerdictLimit => ({
    family: pct === 0 ? 'stable, debrided once' : 'healing by 10 % a week, debrided once',
    course: { ...steady(pct), debrided: 'once' },
    counted: 'after the debridement',
    verdicts: WORSE,
    is: 'at most',
    share: 0.05,
  })),
  ...[0, -10].map((pct): VerdictLimit => ({
    family: pct === 0 ? 'stable, debrided at each visit' : 'healing by 10 % a week, debrided at each visit',
    course: { ...steady(pct), debrided: 'each visit' },
    counted: 'all',
    verdicts: WORSE,
    is: 'at most',
    share: 0.05,
  })),
  ...[5, 10].map((pct): VerdictLimit => ({
    family: `growing by ${pct} % a week, debrided at each visit`,
    course: { ...steady(pct), debrided: 'each visit' },
    counted: '35 % above the first',
    verdicts: ['worsening'],
    is: 'at least',
    share: 0.8,
  })),
];

/** The share that is measured of a promise. */
export function measuredShare(
  wounds: number,
  { course, counted, verdicts }: VerdictLimit,
  daysApart: number,
  error: PhotoError,
): number {
  return verdictShare(followWounds(wounds, { ...course, daysApart, isStated: true }, error), verdicts, counted);
}
