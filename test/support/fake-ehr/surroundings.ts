import type { Chart } from './chart.js';

/** A flowsheet row that the site built and mapped: only such Observations are taken by Epic. */
export interface MappedRow {
  readonly system: string;
  readonly code: string;
  /** The UCUM code of the row. */
  readonly unit?: string;
}

/** What a dialect looks at beside the resource. */
export interface Surroundings {
  readonly chart: Chart;
  readonly interaction: 'create' | 'update';
  readonly mappedRows: readonly MappedRow[];
}
