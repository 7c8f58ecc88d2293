import type { ProbabilityMap } from './probability-map.js';
import type { ExpectedDice, Familiarity } from './wound-result.js';
import { logit, sigmoid } from './wound-confidence.js';

/** What labelled photos had whose map agreed with its outline to this degree. */
export interface FamiliarityStep {
  readonly agreement: number;
  /** Mean overlap (Dice) with the expert, and the interval that held nine of ten. */
  readonly dice: number;
  readonly lower: number;
  readonly upper: number;
  /** Error of the area that nine of ten photos stayed below, in %. */
  readonly areaPct: number;
}

/** From the model's manifest; fitted on photos that it never saw (docs/measurement.md, "Familiarity"). */
export interface FamiliarityRules {
  readonly intercept: number;
  readonly agreementLogit: number;
  /** Least score at which an outline counts as reliable. */
  readonly reliableFrom: number;
  /** By rising agreement. */
  readonly calibration: readonly FamiliarityStep[];
}

/**
 * Overlap (Dice) that the map expects of its own outline: 1 where every pixel is certainly in or out,
 * low where much is possible that the outline leaves out, or little of what it holds is sure. null where nothing is above the threshold.
 */
export function outlineAgreement({ values }: ProbabilityMap, threshold: number): number | null {
  let [inside, total, count] = [0, 0, 0];
  // By index: an iterator takes nearly ten times as long over a map's quarter of a million values.
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    total += value;
    if (value <= threshold) continue;
    inside += value;
    count += 1;
  }
  return count === 0 ? null : (2 * inside) / (total + count);
}

/** How far an outline can be trusted whose map agrees with it to this degree. */
export function judgeFamiliarity(agreement: number, rules: FamiliarityRules): Familiarity {
  const score = familiarityScore(agreement, rules);
  return {
    score: thousandths(score),
    expectedDice: expectedDice(agreement, rules),
    outlineReliable: score >= rules.reliableFrom,
  };
}

/** Probability that an expert's outline overlaps with this one to a Dice of 0.7 or more. */
export function familiarityScore(agreement: number, { intercept, agreementLogit }: FamiliarityRules): number {
  return sigmoid(intercept + agreementLogit * logit(agreement));
}

/** Least half-width of an area's interval, as a share of the area. */
export function leastAreaMargin(agreement: number, { calibration }: FamiliarityRules): number {
  return between(agreement, calibration, ({ areaPct }) => areaPct) / 100;
}

function expectedDice(agreement: number, { calibration }: FamiliarityRules): ExpectedDice {
  return {
    value: thousandths(between(agreement, calibration, ({ dice }) => dice)),
    lower: thousandths(between(agreement, calibration, ({ lower }) => lower)),
    upper: thousandths(between(agreement, calibration, ({ upper }) => upper)),
  };
}

/** Along the straight line between the two nearest steps; beyond the first and the last as there. */
function between(
  agreement: number,
  steps: readonly FamiliarityStep[],
  figureOf: (step: FamiliarityStep) => number,
): number {
  const next = steps.findIndex((step) => step.agreement >= agreement);
  if (next <= 0) return figureOf(steps[next === 0 ? 0 : steps.length - 1]!);
  const [low, high] = [steps[next - 1]!, steps[next]!];
  const share = (agreement - low.agreement) / (high.agreement - low.agreement);
  return figureOf(low) + share * (figureOf(high) - figureOf(low));
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
