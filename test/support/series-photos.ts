import type { CodedConcept } from '../../src/core/analysis/analysis-job.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';
import { drawFindings, squareOf } from './wound-results.js';

const DAY_MS = 86_400_000;
/** The day 0 of the histories. */
export const DAY_ZERO = Date.UTC(2025, 0, 6, 9);
export const DIABETIC_FOOT: CodedConcept = { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'E11.621' };

/** The moment so many days after the first photo. */
export function dayOf(day: number): Date {
  return new Date(DAY_ZERO + day * DAY_MS);
}

/**
 * The assessment of a photo taken so many days after the first, of a square wound of so many cm². Ids tell the day; areas repeat to 5 %, and the
 * scale is known to 2 %.
 */
export function photoOn(day: number, areaCm2: number, given: Partial<AssessmentInSeries> = {}): AssessmentInSeries {
  const id = String(Math.round(day * 100)).padStart(6, '0');
  return {
    reportId: `r${id}`,
    jobId: `j${id}`,
    imageId: `i${id}`,
    capturedAt: dayOf(day),
    findings: drawFindings(squareOf(areaCm2)),
    stated: { woundRef: 'wound', bodySite: null, laterality: null },
    reviewed: false,
    woundType: null,
    observations: null,
    ...given,
  };
}
