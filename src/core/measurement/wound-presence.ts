import type { WoundMeasurement } from './wound-result.js';

/** From the model's manifest; fitted on photos with and without an open wound (docs/measurement.md, "Confidence"). */
export interface PresenceRules {
  /** Below this probability of an open wound in the photo, none is reported. */
  readonly threshold: number;
}

/** The outlines of a photo, once it is decided whether it shows an open wound at all. */
export interface OutlineDecision {
  readonly reported: WoundMeasurement[];
  /** What the map outlines in a photo that shows no open wound: closed skin, mostly. */
  readonly setAside: readonly WoundMeasurement[];
}

/**
 * All outlines of a photo are reported, or none.
 * @param presence probability that the photo shows an open wound; null where the model does not say, and every outline stands
 */
export function decidePresence(
  outlined: WoundMeasurement[],
  presence: number | null,
  rules: PresenceRules | undefined,
): OutlineDecision {
  const isAbsent = presence !== null && rules !== undefined && presence < rules.threshold;
  return isAbsent ? { reported: [], setAside: outlined } : { reported: outlined, setAside: [] };
}
