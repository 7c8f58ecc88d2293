import type { AreaSlope } from '../../core/followup/area-slope.js';
import { isDiabeticFootUlcer } from '../../core/followup/milestones.js';
import type { ReportContent, TrendPoint } from '../../core/report/clinical-report.js';
import type { ChartBand, ChartPlace } from './trend-chart.js';

const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;
/** Diabetic foot ulcers that heal have usually halved by then (Sheehan 2003, Coerper 2009). */
const HALVING_DAYS = 28;
/** Enough for an exponential to look like one. */
const STEPS = 12;

/** The slope's line through the middle of the areas that it covers; its band has the limits of the interval. */
export function slopeBand(slope: AreaSlope | null, trend: readonly TrendPoint[]): ChartBand | null {
  const last = trend.at(-1);
  if (slope === null || last === undefined) return null;
  const lastMs = last.capturedAt.getTime();
  // Half a day more, since days are rounded.
  const firstMs = lastMs - (slope.days + 0.5) * DAY_MS;
  const covered = trend.filter(
    ({ capturedAt, relation }) => capturedAt.getTime() >= firstMs && relation?.at === last.relation?.at,
  );
  const middleMs = mean(covered.map(({ capturedAt }) => capturedAt.getTime()));
  const middle = Math.exp(mean(covered.map(({ areaCm2 }) => Math.log(areaCm2.value))));
  const moments = Array.from({ length: STEPS + 1 }, (_, step) => lastMs - slope.days * DAY_MS * (1 - step / STEPS));
  const along = (pctPerWeek: number) => (atMs: number) =>
    middle * (1 + pctPerWeek / 100) ** ((atMs - middleMs) / DAY_MS / DAYS_PER_WEEK);
  const { value, lower, upper } = slope.pctPerWeek;
  const limits = moments.map((atMs) => [along(lower)(atMs), along(upper)(atMs)]);
  return {
    line: moments.map((atMs) => ({ atMs, value: along(value)(atMs) })),
    lower: moments.map((atMs, index) => ({ atMs, value: Math.min(...limits[index]!) })),
    upper: moments.map((atMs, index) => ({ atMs, value: Math.max(...limits[index]!) })),
  };
}

/** From the first area to its half; empty where no evidence speaks of this kind of wound, and before there is a first area. */
export function expectedCourse({ subject, comparison }: ReportContent, trend: readonly TrendPoint[]): ChartPlace[] {
  if (isDiabeticFootUlcer(subject.woundType) !== true) return [];
  const { baseline } = comparison;
  const first = trend.find(({ reportId, sumOf, capturedAt }) =>
    baseline?.sumOf === undefined
      ? reportId === baseline?.reportId
      : sumOf !== undefined && capturedAt.getTime() === Date.parse(baseline.capturedAt),
  );
  if (first === undefined) return [];
  const atMs = first.capturedAt.getTime();
  const { value } = first.areaCm2;
  return [
    { atMs, value },
    { atMs: atMs + HALVING_DAYS * DAY_MS, value: value / 2 },
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
