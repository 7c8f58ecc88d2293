import { MEASURE_TABLE, MEASURES, type Measure } from '../../../core/measurement/measures.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';

/** A figure of a report on the skin; `unit`: UCUM. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** By how much a figure is multiplied from our unit to the receiver's, by UCUM code. */
const FACTORS: Readonly<Record<'cm' | 'cm2', Readonly<Record<string, number>>>> = {
  cm: { cm: 1, mm: 10 },
  cm2: { cm2: 1, mm2: 100 },
};

/** Units that a measure can be sent in. */
export function unitsOf(measure: Measure): readonly string[] {
  return Object.keys(FACTORS[MEASURE_TABLE[measure].unit]);
}

/** Measures that the version has on the skin. */
export function measuredOf(report: ClinicalReport): readonly Measure[] {
  return MEASURES.filter((measure) => valueOf(report, measure) !== null);
}

/** The figure in this unit, with the digits that it was measured with; null: it was not measured, or the unit is none of its. */
export function figureOf(report: ClinicalReport, measure: Measure, unit?: string): Figure | null {
  const own = MEASURE_TABLE[measure];
  const value = valueOf(report, measure);
  const factor = FACTORS[own.unit][unit ?? own.unit];
  if (value === null || factor === undefined) return null;
  const digits = Math.max(0, own.digits - Math.round(Math.log10(factor)));
  return { value: Number((value * factor).toFixed(digits)), unit: unit ?? own.unit };
}

function valueOf({ content: { findings } }: ClinicalReport, measure: Measure): number | null {
  const { figures } = findings;
  if (figures === null) return null;
  return measure === 'area' ? (figures.area.cm2?.value ?? null) : (figures[measure].cm?.value ?? null);
}
