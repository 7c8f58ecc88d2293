import type { Outline } from './outline.js';
import { eachSpanInside } from './outline-mask.js';
import type { ProbabilityMap } from './probability-map.js';

/** Logistic calibration (Platt 1999), fitted on labelled photos that the model never saw; from its manifest. */
export interface ConfidenceRules {
  /** Of one outline: on the log-odds of its mean probability and the logarithm of its share of the photo. */
  readonly wound: { readonly intercept: number; readonly meanLogit: number; readonly logAreaShare: number };
  /** Of there being a wound at all: on the log-odds of the map's 99.9th percentile. */
  readonly photo: { readonly intercept: number; readonly peakLogit: number };
  /** Outlines of which less is expected are not reported at all; absent: every outline is. */
  readonly reportFrom?: number | undefined;
}

/** Keeps a probability of exactly 0 or 1 from being infinite odds. */
const LEAST_DOUBT = 1e-4;
const PEAK_SHARE = 0.999;
const LEVELS = 4096;

/** Probability that an expert outlines a wound here; without a calibration the mean probability inside. */
export function woundConfidence(
  meanProbability: number,
  areaShare: number,
  rules: ConfidenceRules | undefined,
): number {
  if (rules === undefined) return meanProbability;
  const { intercept, meanLogit, logAreaShare } = rules.wound;
  return sigmoid(intercept + meanLogit * logit(meanProbability) + logAreaShare * Math.log(areaShare));
}

/**
 * Probability that the statement `woundDetected` is true, by what the model says of the whole photo; where it says nothing of it,
 * by the map's peak, which without a calibration stands for it.
 * @param presence probability that the photo shows an open wound; null where the model does not say
 * @param map of the whole photo; of the crop where the second look at a small wound took one, since the whole map hardly shows it
 */
export function photoConfidence(
  map: ProbabilityMap,
  woundDetected: boolean,
  rules: ConfidenceRules | undefined,
  presence: number | null,
): number {
  const wound = presence === null ? confidenceOfPeak(peakProbability(map), rules) : limitedTo01(presence);
  return Math.round((woundDetected ? wound : 1 - wound) * 1000) / 1000;
}

function confidenceOfPeak(peak: number, rules: ConfidenceRules | undefined): number {
  return rules === undefined ? peak : sigmoid(rules.photo.intercept + rules.photo.peakLogit * logit(peak));
}

/** A model's rounding may go beyond by a little. */
function limitedTo01(probability: number): number {
  return Math.min(1, Math.max(0, probability));
}

/** The 99.9th percentile inside the photo: a few odd pixels do not make a wound. */
function peakProbability({ values, width, height, content }: ProbabilityMap): number {
  const within = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
  const [left, right] = [within(content.x, width), within(content.x + content.width, width)];
  const [top, bottom] = [within(content.y, height), within(content.y + content.height, height)];
  const counts = new Uint32Array(LEVELS);
  for (let row = top; row < bottom; row += 1) {
    for (let index = row * width + left; index < row * width + right; index += 1) {
      const level = Math.floor(values[index]! * LEVELS);
      // Most of a photo lies at the lowest level, which is the answer where no other is.
      if (level > 0) counts[Math.min(LEVELS - 1, level)]! += 1;
    }
  }
  let above = Math.floor((right - left) * (bottom - top) * (1 - PEAK_SHARE));
  for (let level = LEVELS - 1; level > 0; level -= 1) {
    above -= counts[level]!;
    if (above < 0) return (level + 0.5) / LEVELS;
  }
  return 0.5 / LEVELS;
}

/** Mean probability of the pixels whose centre lies inside the outline; both in pixels of the map. */
export function meanInside(map: ProbabilityMap, outline: Outline): number {
  let [sum, count] = [0, 0];
  eachSpanInside([outline.outer, ...outline.holes], map.width, map.height, (row, from, to) => {
    for (let column = from; column < to; column += 1) sum += map.values[row * map.width + column]!;
    count += to - from;
  });
  return count === 0 ? 0 : sum / count;
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

export function logit(probability: number): number {
  const limited = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_DOUBT, probability));
  return Math.log(limited / (1 - limited));
}
