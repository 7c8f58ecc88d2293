import type { Outline } from './outline.js';
import type { Ring } from './polygon.js';
import type { ProbabilityMap } from './probability-map.js';

/** Logistic calibration (Platt 1999), fitted on labelled photos that the model never saw; from its manifest. */
export interface ConfidenceRules {
  /** Of one outline: on the log-odds of its mean probability and the logarithm of its share of the photo. */
  readonly wound: { readonly intercept: number; readonly meanLogit: number; readonly logAreaShare: number };
  /** Of there being a wound at all: on the log-odds of the map's 99.9th percentile. */
  readonly photo: { readonly intercept: number; readonly peakLogit: number };
}

/** Keeps a probability of exactly 0 or 1 from being infinite odds. */
const LEAST_DOUBT = 1e-4;
const PEAK_SHARE = 0.999;
const LEVELS = 4096;

/** Probability that an expert outlines a wound here; without a calibration the mean probability inside. */
export function woundConfidence(meanProbability: number, areaShare: number, rules: ConfidenceRules | undefined): number {
  if (rules === undefined) return meanProbability;
  const { intercept, meanLogit, logAreaShare } = rules.wound;
  return sigmoid(intercept + meanLogit * logit(meanProbability) + logAreaShare * Math.log(areaShare));
}

/** Probability that the statement `woundDetected` is true; without a calibration the map's peak stands for it. */
export function photoConfidence(map: ProbabilityMap, woundDetected: boolean, rules: ConfidenceRules | undefined): number {
  const peak = peakProbability(map);
  const wound = rules === undefined ? peak : sigmoid(rules.photo.intercept + rules.photo.peakLogit * logit(peak));
  return Math.round((woundDetected ? wound : 1 - wound) * 1000) / 1000;
}

/** The 99.9th percentile inside the photo: a few odd pixels do not make a wound. */
function peakProbability({ values, width, content }: ProbabilityMap): number {
  const counts = new Uint32Array(LEVELS);
  for (let row = content.y; row < content.y + content.height; row += 1) {
    const end = row * width + content.x + content.width;
    for (let index = row * width + content.x; index < end; index += 1) counts[Math.min(LEVELS - 1, Math.floor(values[index]! * LEVELS))]! += 1;
  }
  let above = Math.floor(content.width * content.height * (1 - PEAK_SHARE));
  for (let level = LEVELS - 1; level > 0; level -= 1) {
    above -= counts[level]!;
    if (above < 0) return (level + 0.5) / LEVELS;
  }
  return 0.5 / LEVELS;
}

/** Mean probability of the pixels whose centre lies inside the outline; both in pixels of the map. */
export function meanInside(map: ProbabilityMap, outline: Outline): number {
  let [sum, count] = [0, 0];
  eachSpan([outline.outer, ...outline.holes], map.height, (row, from, to) => {
    for (let column = Math.max(0, from); column < Math.min(map.width, to); column += 1) sum += map.values[row * map.width + column]!;
    count += Math.max(0, to - from);
  });
  return count === 0 ? 0 : sum / count;
}

function eachSpan(rings: readonly Ring[], height: number, visit: (row: number, from: number, to: number) => void): void {
  const rows = new Map<number, number[]>();
  for (const ring of rings) {
    let [x1, y1] = ring[ring.length - 1]!;
    for (const [x2, y2] of ring) {
      const end = Math.min(height, Math.ceil(Math.max(y1, y2) - 0.5));
      for (let row = Math.max(0, Math.ceil(Math.min(y1, y2) - 0.5)); row < end; row += 1) {
        const x = x1 + ((row + 0.5 - y1) * (x2 - x1)) / (y2 - y1);
        const crossings = rows.get(row);
        if (crossings === undefined) rows.set(row, [x]);
        else crossings.push(x);
      }
      [x1, y1] = [x2, y2];
    }
  }
  for (const [row, crossings] of rows) {
    crossings.sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) visit(row, Math.ceil(crossings[pair]! - 0.5), Math.ceil(crossings[pair + 1]! - 0.5));
  }
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function logit(probability: number): number {
  const limited = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_DOUBT, probability));
  return Math.log(limited / (1 - limited));
}
