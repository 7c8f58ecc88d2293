import { atLeast, type Margin } from './interval.js';

/** How far an expert's area lies from an outline's; from the model's manifest, checked on labels it never saw. */
export interface BoundsRules {
  /** The region above it is the most that the border leaves open. The lower of the two counts as this, however they are named. */
  readonly lowerThreshold: number;
  /** The region above it is the least. */
  readonly upperThreshold: number;
  /** Least half-width of an area's interval, in %, where the region between the thresholds is the interval itself. */
  readonly floorPct?: number | undefined;
  /** Makes the interval from that region and the outline's size instead. */
  readonly conformal?: ConformalRules | undefined;
}

/**
 * Normalised conformal intervals (Papadopoulos et al. 2002) of ln(expert's area ÷ outline's area): `below` and `above` times the scale of
 * the error, which is expected to be exp(intercept + logArea · ln(area) + logBand · ln(band)), no less and no more than any it was fitted on.
 */
export interface ConformalRules {
  readonly intercept: number;
  /** On the outline's area in pixels of the model's view, its longer side taken as 512. */
  readonly logArea: number;
  /** On how soft the border is; see `bandOf`. */
  readonly logBand: number;
  readonly leastScale: number;
  readonly mostScale: number;
  readonly below: number;
  readonly above: number;
}

/** For manifests that state no bounds: it held nine of ten areas of the first model. */
const DEFAULT_FLOOR_PCT = 40;
/** A border as sharp as this is not told from a sharper one. */
const LEAST_BAND = 0.02;

/** The rules of a manifest that states none: from a quarter of the threshold to as far on the other side. */
export function defaultBounds(threshold: number): BoundsRules {
  return { lowerThreshold: threshold / 4, upperThreshold: 1 - (1 - threshold) / 4, floorPct: DEFAULT_FLOOR_PCT };
}

/**
 * Half-widths of an area's interval.
 * @param band what the outline loses and gains at the two thresholds, as shares of its area
 * @param seenPx its area in pixels of the model's view, the longer side taken as 512
 */
export function marginOfArea(band: Margin, seenPx: number, rules: BoundsRules): Margin {
  const { conformal } = rules;
  if (conformal === undefined) return atLeast(band, (rules.floorPct ?? DEFAULT_FLOOR_PCT) / 100);
  const scale = expectedScale(bandOf(band, seenPx), seenPx, conformal);
  return { below: 1 - Math.exp(-conformal.below * scale), above: Math.exp(conformal.above * scale) - 1 };
}

function expectedScale(band: number, seenPx: number, rules: ConformalRules): number {
  const { intercept, logArea, logBand, leastScale, mostScale } = rules;
  const scale = Math.exp(intercept + logArea * Math.log(seenPx) + logBand * Math.log(band));
  return Math.min(mostScale, Math.max(leastScale, scale));
}

/** ln(most ÷ least area between the thresholds); one pixel is added to both, as the lesser may be none. */
function bandOf({ below, above }: Margin, seenPx: number): number {
  return LEAST_BAND + Math.log((seenPx * (1 + above) + 1) / (seenPx * (1 - below) + 1));
}
