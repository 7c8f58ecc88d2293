import type { Bounds } from '../measurement/wound-result.js';
import { areaOf, logAreaOf, logAreaSd, percentOf, perimeterCmOf } from './area-change.js';
import { NINETY_PERCENT, NINETY_SEVEN_PERCENT } from '../measurement/interval.js';
import { rounded } from '../measurement/rounded.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';

/** A figure with the interval that holds its true value in nine of ten cases. */
export type Estimate = Bounds & { readonly value: number };

/** The course of the area over several assessments. */
export interface AreaSlope {
  /** The assessments that it rests on, this one included. */
  readonly assessments: number;
  /** From the first of them to this one. */
  readonly days: number;
  /** Change of the area in % a week; below 0 it shrinks. */
  readonly pctPerWeek: Estimate;
  /** Advance of the margin inwards in mm a day; below 0 it retreats. null where a perimeter is not known. */
  readonly marginAdvanceMmPerDay: Estimate | null;
  /** The whole interval of 97 % lies above 0, of areas that treatments left that of 99 %; 95 % by rules 1 to 3. */
  readonly isGrowth: boolean;
}

export const LEAST_SLOPE_ASSESSMENTS = 3;
/** An exponential describes the course of a wound for some weeks, not for its whole life. */
export const LONGEST_SLOPE_DAYS = 56;
/** Photos of one visit say nothing of a week. */
const SHORTEST_SLOPE_DAYS = 5;
const DAYS_PER_WEEK = 7;
const MM_PER_CM = 10;
/** Residuals beyond this many standard deviations count less (Huber 1964): 95 % efficient where nothing is out of line. */
const HUBER = 1.345;
const MOST_ROUNDS = 20;

/**
 * Regression of log area on time, weighted by each photo's own measurement error, over assessments of at most eight weeks that are
 * comparable with the last. The errors are known from the model's repeatability and the scale, so that three photos suffice for an interval, which
 * Theil–Sen's ranks do not give below five; one bad photo is drawn in by Huber's weights. Where the areas scatter more than photos do, the
 * interval widens with the scatter. null: too few, or too close in time.
 * @param growthLimit from how many standard deviations on it grows
 */
export function slopeOf(
  assessments: readonly AssessmentInSeries[],
  growthLimit = NINETY_SEVEN_PERCENT,
): AreaSlope | null {
  const area = courseOf(assessments);
  const [first, last] = [assessments[0], assessments.at(-1)];
  if (area === null || first === undefined || last === undefined) return null;
  const weekly = (logPerDay: number) => rounded(percentOf(logPerDay * DAYS_PER_WEEK), 1);
  return {
    assessments: assessments.length,
    days: rounded(daysBetween(first, last), 1),
    pctPerWeek: estimateOf(area, weekly),
    marginAdvanceMmPerDay: marginOf(assessments),
    isGrowth: area.slope - growthLimit * area.sd > 0,
  };
}

/** The line itself: the logarithm of the area by days. */
export function courseOf(assessments: readonly AssessmentInSeries[]): Line | null {
  const [first, last] = [assessments[0], assessments.at(-1)];
  if (first === undefined || last === undefined || assessments.length < LEAST_SLOPE_ASSESSMENTS) return null;
  if (daysBetween(first, last) < SHORTEST_SLOPE_DAYS) return null;
  return robustLine(
    assessments.map((assessment) => ({
      x: daysBetween(first, assessment),
      y: logAreaOf(assessment.findings),
      sd: logAreaSd(assessment.findings),
    })),
  );
}

/** Gilman's advance over many photos: for a wound that keeps its shape, twice the area over the perimeter falls by the advance of the margin. */
function marginOf(assessments: readonly AssessmentInSeries[]): Estimate | null {
  if (assessments.some(({ findings }) => perimeterCmOf(findings) === 0)) return null;
  const line = robustLine(
    assessments.map((assessment) => {
      const { findings } = assessment;
      const depthMm = (2 * areaOf(findings).value * MM_PER_CM) / perimeterCmOf(findings);
      // Half the area's relative error: depth grows with the root of the area.
      return {
        x: daysBetween(assessments[0]!, assessment),
        y: -depthMm,
        sd: Math.max((depthMm * logAreaSd(findings)) / 2, 1e-6),
      };
    }),
  );
  return estimateOf(line, (value) => rounded(value, 3));
}

function estimateOf({ slope, sd }: Line, print: (value: number) => number): Estimate {
  return { value: print(slope), lower: print(slope - NINETY_PERCENT * sd), upper: print(slope + NINETY_PERCENT * sd) };
}

export interface Line {
  /** A day. */
  readonly slope: number;
  /** One standard deviation of the slope. */
  readonly sd: number;
}

interface WeightedPoint {
  readonly x: number;
  readonly y: number;
  readonly sd: number;
}

function robustLine(points: readonly WeightedPoint[]): Line {
  let weights = points.map(() => 1);
  let fit = fitLine(points, weights);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = fit.residuals.map((residual) => Math.min(1, HUBER / Math.max(Math.abs(residual), Number.MIN_VALUE)));
    const settled = next.every((weight, index) => Math.abs(weight - weights[index]!) < 1e-6);
    weights = next;
    fit = fitLine(points, weights);
    if (settled) break;
  }
  const drawnIn = fit.residuals.map((residual) => Math.min(Math.abs(residual), HUBER) ** 2);
  const scatter = drawnIn.reduce((sum, square) => sum + square, 0) / Math.max(points.length - 2, 1);
  return { slope: fit.slope, sd: fit.sd * Math.max(1, Math.sqrt(scatter / SCATTER_LIMIT)) };
}

/** Scatter of photos alone reaches it in about one series of ten: what is beyond is the wound's or a bad photo's. */
const SCATTER_LIMIT = 1.5;

/** Weighted least squares; residuals in standard deviations. */
function fitLine(points: readonly WeightedPoint[], weights: readonly number[]) {
  const shares = points.map(({ sd }, index) => weights[index]! / sd ** 2);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const mean = (of: (point: WeightedPoint) => number) =>
    points.reduce((sum, point, index) => sum + shares[index]! * of(point), 0) / total;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const spread = points.reduce((sum, { x }, index) => sum + shares[index]! * (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }, index) => sum + shares[index]! * (x - meanX) * (y - meanY), 0) / spread;
  return {
    slope,
    sd: Math.sqrt(1 / spread),
    residuals: points.map(({ x, y, sd }) => (y - meanY - slope * (x - meanX)) / sd),
  };
}
