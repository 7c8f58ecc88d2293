import { MEASURE_TABLE, perLength, type LengthMeasure, type Measure } from '../measurement/measures.js';
import { PIXEL_DIGITS } from '../measurement/measure-wounds.js';
import type { Bounds, WoundFigures } from '../measurement/wound-result.js';

/** The figures of several outlines together, the largest first: area and perimeter are sums, length and width those of the largest. */
export function totalOf(each: readonly WoundFigures[]): WoundFigures {
  const largest = each[0]!;
  const areas = each.map(({ area }) => area);
  const area = {
    pixels: totalPixels(areas),
    pixelBounds: totalBounds(
      areas.map(({ pixelBounds }) => pixelBounds),
      PIXEL_DIGITS,
    ),
    cm2: totalMeasured(
      areas.map(({ cm2 }) => cm2),
      'area',
    ),
  };
  const lengthOf = (measure: LengthMeasure) => {
    if (MEASURE_TABLE[measure].ofSeveral === 'largest') return largest[measure];
    const lengths = each.map((figures) => figures[measure]);
    return {
      pixels: totalPixels(lengths),
      cm: totalMeasured(
        lengths.map(({ cm }) => cm),
        measure,
      ),
    };
  };
  return { area, ...perLength(lengthOf) };
}

/** Bounds of a sum whose parts err together. */
function totalBounds(parts: readonly Bounds[], digits: number): Bounds {
  return {
    lower: total(
      parts.map(({ lower }) => lower),
      digits,
    ),
    upper: total(
      parts.map(({ upper }) => upper),
      digits,
    ),
  };
}

function totalPixels(parts: readonly { readonly pixels: number }[]): number {
  return total(
    parts.map(({ pixels }) => pixels),
    PIXEL_DIGITS,
  );
}

function totalMeasured(
  parts: readonly (({ readonly value: number } & Bounds) | null)[],
  measure: Measure,
): ({ value: number } & Bounds) | null {
  const known = parts.flatMap((part) => (part === null ? [] : [part]));
  if (known.length < parts.length) return null;
  const { digits } = MEASURE_TABLE[measure];
  return {
    value: total(
      known.map(({ value }) => value),
      digits,
    ),
    ...totalBounds(known, digits),
  };
}

/** Of figures already rounded: keeps the sum free of binary residue. */
function total(values: readonly number[], digits: number): number {
  const factor = 10 ** digits;
  return Math.round(values.reduce((sum, value) => sum + value, 0) * factor) / factor;
}
