import type { ClinicianField, ClinicianObservations } from '../analysis/clinician-observations.js';
import { perTissue } from '../tissue/tissues.js';
import { standingOf, type AssessmentInSeries } from './series-order.js';

/**
 * Each analysis that stands, with what clinicians stated of its photo beside earlier analyses of it and not beside this one: that a photo is analysed again
 * takes no form back. Where a person has put a form in place of the report's, that is all that is stated.
 */
export function withFormsOfPhotos(assessments: readonly AssessmentInSeries[]): readonly AssessmentInSeries[] {
  const standing = standingOf(assessments);
  if (standing.length === assessments.length) return assessments;
  const byPhoto = new Map(standing.map((one) => [one.imageId, one]));
  return assessments.map((one) => {
    if (byPhoto.get(one.imageId) !== one) return one;
    return assessments
      .filter((other) => other !== one && other.imageId === one.imageId)
      .toSorted((a, b) => (a.reportId < b.reportId ? 1 : -1))
      .reduce(withFormOf, one);
  });
}

/** Newer ones first. A form that a person put in place ends what older analyses stated; one beside a newer analysis, which nobody has decided on, counts. */
function withFormOf(one: AssessmentInSeries, superseded: AssessmentInSeries): AssessmentInSeries {
  if (one.isFormReplaced === true && superseded.reportId < one.reportId) return one;
  const observations = joined(one.observations, superseded.observations);
  const isFormReplaced = one.isFormReplaced === true || superseded.isFormReplaced === true;
  // Shares of the bed within another outline are others.
  if (one.findings.outlineSource !== 'model') return { ...one, observations, isFormReplaced };
  return { ...one, observations, isFormReplaced, findings: withConfirmed(one.findings, superseded.findings) };
}

/** The fields of the one, and of the other those that the one does not state. */
function joined(one: ClinicianObservations | null, other: ClinicianObservations | null): ClinicianObservations | null {
  if (one === null || other === null) return one ?? other;
  const statedAt = Object.entries(other.statedAt ?? {}).filter(([field]) => one[field as ClinicianField] === undefined);
  const given = Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));
  const times = { ...Object.fromEntries(statedAt), ...one.statedAt };
  return { ...other, ...given, statedAt: Object.keys(times).length === 0 ? undefined : times };
}

/** With the shares that a clinician confirmed beside the other analysis alone. */
function withConfirmed(
  one: AssessmentInSeries['findings'],
  { tissue: other, confirmedTissues }: AssessmentInSeries['findings'],
): AssessmentInSeries['findings'] {
  const added = confirmedTissues.filter((tissue) => !one.confirmedTissues.includes(tissue));
  if (other === null || added.length === 0) return one;
  const of = <T>(mine: T | undefined, theirs: T, is: boolean): T => (is || mine === undefined ? theirs : mine);
  const shares = perTissue((tissue) => of(one.tissue?.[tissue], other[tissue], added.includes(tissue)));
  const method = perTissue((tissue) => of(one.tissue?.method[tissue], other.method[tissue], added.includes(tissue)));
  return {
    ...one,
    tissue: { ...other, ...one.tissue, ...shares, method },
    confirmedTissues: [...one.confirmedTissues, ...added],
  };
}
