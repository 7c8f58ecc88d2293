import { perLength } from './measures.js';
import type { ChosenScale } from './scale-choice.js';
import type { WoundFigures, WoundMeasurement } from './wound-result.js';

/** A fifth of an adult's skin of 1.9 m², more than the whole of a leg's front and back (rule of nines, Wallace 1951): the scale is wrong, not the wound. */
const LARGEST_WOUND_CM2 = 3500;

/** True where by its scale the photo shows a wound that no body has. */
export function showsImpossibleArea(wounds: readonly Pick<WoundFigures, 'area'>[]): boolean {
  return wounds.some(({ area }) => (area.cm2?.value ?? 0) > LARGEST_WOUND_CM2);
}

/** The same figures in pixels alone. */
export function inPixels<Figures extends WoundFigures>(figures: Figures): Figures {
  return {
    ...figures,
    area: { ...figures.area, cm2: null },
    ...perLength((measure) => ({ ...figures[measure], cm: null })),
  };
}

/** Takes the scale back where a wound measured by it is one that no body has: a wrong figure is worse than none. */
export function withPlausibleScale(
  scale: ChosenScale,
  wounds: WoundMeasurement[],
): { readonly scale: ChosenScale; readonly wounds: WoundMeasurement[] } {
  if (!showsImpossibleArea(wounds)) return { scale, wounds };
  const marker =
    scale.scale?.source === 'marker' && scale.marker !== null
      ? ({ ...scale.marker, status: 'refused', reason: 'implausible' } as const)
      : scale.marker;
  return { scale: { scale: null, marker, mismatch: false, isImplausible: true }, wounds: wounds.map(inPixels) };
}
