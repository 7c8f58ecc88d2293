import { logAreaSd, logGrowth } from './area-change.js';
import type { AssessmentInSeries } from './series-order.js';

/** Once in so many visits a wound that stands still seems to have grown so much since its smallest. */
const CHANCE = 0.01;
/** Steps of the integral over one standard normal variable, from −6 to 6. */
const STEPS = 240;
const REACH = 6;
/** Earlier assessments from which on more make hardly a difference. */
const MOST_EARLIER = 60;

const limits = new Map<number, number>();

/**
 * Whether an area grew since the smallest of `earlier` ones by more than a wound shows that stands still. The smallest of several figures is small by
 * chance, too, so that the limit grows with their number. Both photos count as equally exact, as the last one is.
 */
export function isRareGrowth(smallest: AssessmentInSeries, to: AssessmentInSeries, earlier: number): boolean {
  const sd = Math.hypot(logAreaSd(smallest.findings), logAreaSd(to.findings)) / Math.SQRT2;
  return logGrowth(smallest.findings, to.findings) > growthLimit(earlier) * sd;
}

/**
 * By how many standard deviations of one figure the last of several exceeds the smallest of those before it in one of a hundred series that stand
 * still: P(x − min(x₁ … xₙ) > limit) = 1 − ∫ φ(x) (1 − Φ(x − limit))ⁿ dx.
 */
export function growthLimit(earlier: number, chance = CHANCE): number {
  const count = Math.min(Math.max(1, earlier), MOST_EARLIER);
  const known = chance === CHANCE ? limits.get(count) : undefined;
  if (known !== undefined) return known;
  let [low, high] = [0, 12];
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (exceeds(middle, count) > chance) low = middle;
    else high = middle;
  }
  if (chance === CHANCE) limits.set(count, high);
  return high;
}

function exceeds(limit: number, count: number): number {
  const width = (2 * REACH) / STEPS;
  let within = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const x = -REACH + (step + 0.5) * width;
    within += density(x) * (1 - cumulative(x - limit)) ** count * width;
  }
  return 1 - within;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** Of the standard normal distribution (Abramowitz and Stegun 26.2.17, to 7.5 × 10⁻⁸). */
function cumulative(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    density(x) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}
