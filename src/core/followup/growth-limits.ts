import { NINETY_NINE_PERCENT, NINETY_SEVEN_PERCENT } from '../measurement/interval.js';
import type { ResettingEvent } from './clinical-event.js';

/** From how many standard deviations on an area has grown. */
export interface AreaLimits {
  readonly pair: number;
  /** Of eight weeks. */
  readonly slope: number;
  /** Through up to half a year. */
  readonly line: number;
}

const OF_PHOTOS: AreaLimits = { pair: NINETY_SEVEN_PERCENT, slope: NINETY_SEVEN_PERCENT, line: 2.4 };
/**
 * Areas that treatments left differ by more than photos do: two of them, or those of eight weeks, tell little, and what they cry wolf by is better spent on the
 * line through all of them. All growth flags together stay as rare (docs/follow-up.md, "How often they are wrong").
 */
const OF_TREATED: AreaLimits = { pair: NINETY_NINE_PERCENT, slope: NINETY_NINE_PERCENT, line: 2 };

/** @param treatment that left the areas; null: none did */
export function growthLimitsFor(treatment: ResettingEvent | null): AreaLimits {
  return treatment === null ? OF_PHOTOS : OF_TREATED;
}
