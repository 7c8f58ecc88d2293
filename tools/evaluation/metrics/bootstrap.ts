import { quantile } from './order-statistics.js';

export const RESAMPLES = 1000;
export const SEED = 20_240_501;
export const LEVEL = 0.95;

/** A figure with its 95 % interval. `value` is null where the figure is not defined, the ends where no interval can be drawn. */
export interface Estimate {
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
}

/**
 * The figure with its percentile interval over 1,000 resamples of the cases (Efron 1979). The seed is fixed: the same cases in the same order give
 * the same interval. Resamples in which the figure is not defined are left out; fewer than two cases give no interval.
 */
export function estimate<Case>(cases: readonly Case[], figure: (cases: readonly Case[]) => number | null): Estimate {
  const value = figure(cases);
  if (value === null || cases.length < 2) return { value, lower: null, upper: null };
  const random = seededRandom(SEED);
  const drawn: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    const again = figure(cases.map(() => cases[Math.floor(random() * cases.length)]!));
    if (again !== null) drawn.push(again);
  }
  const tail = (1 - LEVEL) / 2;
  return { value, lower: quantile(drawn, tail), upper: quantile(drawn, 1 - tail) };
}

/** Mulberry32: small, seeded, the same everywhere. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
