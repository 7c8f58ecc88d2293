export const UCUM = 'http://unitsofmeasure.org';

interface Scale {
  readonly unit: string;
  /** Power of ten: applied to the decimal text, and so without rounding. */
  readonly shift: number;
  /** Factors that are not powers of ten. */
  readonly factor?: number;
}

const scale = (unit: string, shift: number, factor?: number): Scale => ({
  unit,
  shift,
  ...(factor === undefined ? {} : { factor }),
});

const LENGTHS = { nm: -6, um: -3, mm: 0, cm: 1, dm: 2, m: 3, km: 6 };

/** UCUM codes of the same dimension, with their factors. */
const SCALES = new Map<string, Scale>([
  ...Object.entries(LENGTHS).flatMap(([code, power]): [string, Scale][] => [
    [code, scale('mm', power)],
    [`${code}2`, scale('mm2', 2 * power)],
    [`${code}3`, scale('mm3', 3 * power)],
  ]),
  ...Object.entries({ uL: 0, mL: 3, cL: 4, dL: 5, L: 6, ul: 0, ml: 3, cl: 4, dl: 5, l: 6 }).map(
    ([code, power]): [string, Scale] => [code, scale('mm3', power)],
  ),
  ...Object.entries({ ng: -6, ug: -3, mg: 0, g: 3, kg: 6 }).map(([code, power]): [string, Scale] => [
    code,
    scale('mg', power),
  ]),
  ...Object.entries({ ms: 1 / 1000, s: 1, min: 60, h: 3600, d: 86_400, wk: 604_800 }).map(
    ([code, seconds]): [string, Scale] => [code, code === 'ms' ? scale('s', -3) : scale('s', 0, seconds)],
  ),
]);

/** Other spellings of units, used where a code is missing. */
const SPELLINGS = new Map([
  ['cm²', 'cm2'],
  ['cm^2', 'cm2'],
  ['sq cm', 'cm2'],
  ['sqcm', 'cm2'],
  ['mm²', 'mm2'],
  ['mm^2', 'mm2'],
  ['percent', '%'],
]);

/** A unit as quantities are compared in it. `toCanonical` takes the number as decimal text. */
interface CanonicalUnit {
  readonly unit: string;
  toCanonical(decimal: string): number;
}

/** Converts a UCUM code, or a unit that is written like one. A code of an unknown dimension stands for itself. */
export function canonicalUnit(code: string): CanonicalUnit {
  const known = SPELLINGS.get(code) ?? code;
  const [numerator, ...denominators] = known.split('/') as [string, ...string[]];
  const above = SCALES.get(numerator);
  const below = denominators.length === 1 ? SCALES.get(denominators[0]!) : undefined;
  const unit = [above?.unit ?? numerator, ...(below === undefined ? denominators : [below.unit])].join('/');
  const shift = (above?.shift ?? 0) - (below?.shift ?? 0);
  const factor = (above?.factor ?? 1) / (below?.factor ?? 1);
  return { unit, toCanonical: (decimal) => shiftDecimal(decimal, shift) * factor };
}

/** Shifts the decimal point: 12.4 by two places is 1240, where 12.4 * 100 is not. */
function shiftDecimal(decimal: string, shift: number): number {
  const [digits, exponent] = decimal.toLowerCase().split('e') as [string, string | undefined];
  return Number(`${digits}e${Number(exponent ?? 0) + shift}`);
}
