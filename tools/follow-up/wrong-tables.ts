import type { FlagCode } from '../../src/core/followup/flag-codes.js';
import {
  advanceCoverage,
  changeCoverage,
  flaggedAt,
  flaggedBy,
  flaggedVisits,
  followWounds,
  GROWTH_FLAGS,
  medianSlope,
  presentSlopeCoverage,
  slopeCoverage,
} from './how-often-wrong.js';
import type { PhotoError } from './simulated-wounds.js';
import { measuredShare, PROMISES } from './verdict-shares.js';

/** The error of photos that one model outlines. */
export interface ModelError extends PhotoError {
  readonly name: string;
}

const STALLS = ['stalled_14_days', 'stalled_28_days'] as const satisfies readonly FlagCode[];
const VISITS = 12;
/** Assessments in the slope; of fortnightly ones no more lie within eight weeks. */
const RHYTHMS = [
  { name: 'weekly', daysApart: 7, assessments: [3, 4, 6, 8] },
  { name: 'fortnightly', daysApart: 14, assessments: [3, 4, 5] },
] as const;
const steady = { kind: 'steady', visits: VISITS } as const;

/** Markdown, a heading above each table. */
export function tablesOf(wounds: number, models: readonly ModelError[]): string {
  const cases = models.flatMap((error) => RHYTHMS.map((rhythm) => ({ wounds, error, ...rhythm })));
  return [coverageTable, familyTable, falseGrowthTable, growthTable, stallTable, badPhotoTable, verdictTable]
    .map((of) => of(cases))
    .join('\n\n');
}

interface Case {
  readonly wounds: number;
  readonly error: ModelError;
  readonly name: string;
  readonly daysApart: number;
  readonly assessments: readonly number[];
}

function coverageTable(cases: readonly Case[]): string {
  return table(
    'Intervals of 90 % that hold the true value',
    ['Change a week', 'Assessments', 'Slope of the area', 'Advance of the margin'],
    cases,
    ({ wounds, error, daysApart, assessments }) =>
      [-20, -10, 0, 10].map((pctPerWeek) => {
        const shares = (of: typeof slopeCoverage, kind: 'steady' | 'margin') =>
          assessments.map((visits) => percent(of(wounds, { kind, pctPerWeek, daysApart, visits }, error))).join(', ');
        const change = `${signed(pctPerWeek)} %`;
        return [change, assessments.join(', '), shares(slopeCoverage, 'steady'), shares(advanceCoverage, 'margin')];
      }),
  );
}

/** Every family of wounds that something is promised of. */
const FAMILIES = [
  ['stable', { kind: 'steady', pctPerWeek: 0 }],
  ...[5, 10, 20].map((pct) => [`healing by ${pct} % a week`, { kind: 'steady', pctPerWeek: -pct }] as const),
  ...[3, 5, 10].map((pct) => [`growing by ${pct} % a week`, { kind: 'steady', pctPerWeek: pct }] as const),
  ...[5, 10, 20].map((pct) => [`turned, growing by ${pct} % a week`, { kind: 'turning', pctPerWeek: pct }] as const),
  ['healed by a third, then stalled', { kind: 'stalling', pctPerWeek: 0 }],
  ['stable, the fourth photo bad', { kind: 'steady', pctPerWeek: 0, badVisit: 3 }],
  ['healing by 10 % a week, the fourth photo bad', { kind: 'steady', pctPerWeek: -10, badVisit: 3 }],
] as const;

function familyTable(cases: readonly Case[]): string {
  return table(
    'Intervals of 90 % by the course of the wound, twelve visits',
    ['Wounds', 'Change since the photo before', 'Slope since the last turn, at the twelfth'],
    cases,
    ({ wounds, error, daysApart }) =>
      FAMILIES.map(([name, course]) => {
        const followed = followWounds(wounds, { ...course, daysApart, visits: VISITS }, error);
        return [name, percent(changeCoverage(followed)), percent(presentSlopeCoverage(followed, course))];
      }),
  );
}

function falseGrowthTable(cases: readonly Case[]): string {
  return table(
    'Stable wounds: visits with a false growth flag',
    ['Any', ...GROWTH_FLAGS.map((code) => `\`${code}\``)],
    cases,
    ({ wounds, error, daysApart }) => {
      const followed = followWounds(wounds, { ...steady, pctPerWeek: 0, daysApart }, error);
      const alone = GROWTH_FLAGS.map((code) => percent(flaggedVisits(followed, [code])));
      return [[percent(flaggedVisits(followed, GROWTH_FLAGS)), ...alone]];
    },
  );
}

function growthTable(cases: readonly Case[]): string {
  const visits = [2, 3, 4, 5, 6];
  return table('Wounds that grow by 10 % a week: flagged by visit', visits, cases, ({ wounds, error, daysApart }) => {
    const followed = followWounds(wounds, { ...steady, pctPerWeek: 10, daysApart }, error);
    return [visits.map((visit) => percent(flaggedBy(followed, visit, GROWTH_FLAGS)))];
  });
}

function stallTable(cases: readonly Case[]): string {
  const days = [14, 28, 42, 56];
  return table(
    'Called stalled, by day',
    ['Change a week', ...days, 'all visits'],
    cases,
    ({ wounds, error, daysApart }) =>
      [0, -5, -10, -20].map((pctPerWeek) => {
        const followed = followWounds(wounds, { ...steady, pctPerWeek, daysApart, visits: 9 }, error);
        const byDay = days.map((day) => percent(flaggedAt(followed, 1 + day / daysApart, STALLS)));
        return [`${signed(pctPerWeek)} %`, ...byDay, percent(flaggedVisits(followed, STALLS))];
      }),
  );
}

function badPhotoTable(cases: readonly Case[]): string {
  return table(
    'The fourth of six photos shows the wound twice as large',
    ['Change a week', 'Median slope at the sixth', 'Growth flag at the 4th', '5th', '6th'],
    cases,
    ({ wounds, error, daysApart }) =>
      [0, -10].map((pctPerWeek) => {
        const followed = followWounds(wounds, { ...steady, pctPerWeek, daysApart, visits: 6, badVisit: 3 }, error);
        const byVisit = [4, 5, 6].map((visit) => percent(flaggedAt(followed, visit, GROWTH_FLAGS)));
        return [`${signed(pctPerWeek)} %`, `${signed(medianSlope(followed))} %`, ...byVisit];
      }),
  );
}

/** Depth and pain stated at each visit, of wounds where neither changes. */
function verdictTable(cases: readonly Case[]): string {
  return table(
    'The verdict, of the visits that are counted',
    ['Wounds', 'Counted', 'Verdict', 'Promised', 'Measured'],
    cases,
    ({ wounds, error, daysApart }) =>
      PROMISES.map((promise) => {
        const { family, counted, verdicts, is, share } = promise;
        const promised = `${is} ${(100 * share).toFixed(0)}`;
        return [
          family,
          counted,
          verdicts.join(', '),
          promised,
          percent(measuredShare(wounds, promise, daysApart, error)),
        ];
      }),
  );
}

type Cell = string | number;

function table(
  heading: string,
  columns: readonly Cell[],
  cases: readonly Case[],
  rowsOf: (one: Case) => readonly (readonly Cell[])[],
): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  const all = ['Model', 'Visits', ...columns];
  const rows = cases.flatMap((one) => rowsOf(one).map((cells) => line([one.error.name, one.name, ...cells])));
  return [`### ${heading}`, '', line(all), line(all.map(() => '---')), ...rows].join('\n');
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value).replace('-', '−');
}
