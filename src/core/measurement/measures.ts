/** One measure of an outline. Codes and words stand in tables keyed by `Measure`. */
export interface MeasureClass {
  /** On the plane of the skin, by its UCUM code. */
  readonly unit: 'cm' | 'cm2';
  /** Digits after the decimal point that the value on the skin is rounded to, once, where it is measured. */
  readonly digits: number;
  /** The rule for several outlines of one wound. */
  readonly ofSeveral: 'sum' | 'largest';
}

/**
 * In the order in which they are listed: the area inside the outline; the greatest distance across it; the greatest extent
 * perpendicular to that; the length of the outer ring.
 */
const CLASSES = {
  area: { unit: 'cm2', digits: 2, ofSeveral: 'sum' },
  length: { unit: 'cm', digits: 2, ofSeveral: 'largest' },
  width: { unit: 'cm', digits: 2, ofSeveral: 'largest' },
  perimeter: { unit: 'cm', digits: 2, ofSeveral: 'sum' },
} as const satisfies Readonly<Record<string, MeasureClass>>;

export type Measure = keyof typeof CLASSES;
/** Measures in centimetres: every one but the area. */
export type LengthMeasure = Exclude<Measure, 'area'>;
export type MeasureUnit = MeasureClass['unit'];

export const MEASURE_TABLE: Readonly<Record<Measure, MeasureClass>> = CLASSES;
export const MEASURES = Object.keys(CLASSES) as readonly Measure[];
export const LENGTH_MEASURES = MEASURES.filter((measure): measure is LengthMeasure => measure !== 'area');

/** One value for each length. */
export function perLength<Value>(valueOf: (measure: LengthMeasure) => Value): Record<LengthMeasure, Value> {
  return Object.fromEntries(LENGTH_MEASURES.map((measure) => [measure, valueOf(measure)])) as Record<
    LengthMeasure,
    Value
  >;
}
