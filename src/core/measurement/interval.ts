import type { Bounds } from './wound-result.js';

/** Half-widths of an interval below and above a value, as shares of the value. */
export interface Margin {
  readonly below: number;
  readonly above: number;
}

/** Both sides of a normal distribution's 90 % and 95 % lie within this many standard deviations. */
export const NINETY_PERCENT = 1.645;
export const NINETY_FIVE_PERCENT = 1.96;
/** For what is asked at every visit: both sides' 97 %, so that all that is asked together cries wolf at fewer than one visit in twenty. */
export const NINETY_SEVEN_PERCENT = 2.17;
export const NINETY_NINE_PERCENT = 2.576;

/** Independent sources of error: their half-widths add in quadrature (GUM, JCGM 100:2008, 5.1.2). */
export function combineMargins(one: Margin, other: Margin): Margin {
  return { below: Math.hypot(one.below, other.below), above: Math.hypot(one.above, other.above) };
}

/** The margin widened to at least `share` on both sides. */
export function atLeast({ below, above }: Margin, share: number): Margin {
  return { below: Math.max(below, share), above: Math.max(above, share) };
}

/** The interval around a value that is not negative; never below 0. */
export function boundsAround(value: number, { below, above }: Margin): Bounds {
  return { lower: Math.max(0, value * (1 - below)), upper: value * (1 + above) };
}
