import type { ClinicianField, ClinicianObservations } from '../analysis/clinician-observations.js';
import { perTissue } from '../tissue/tissues.js';
import { ClinicalTime } from '../times/clinical-time.js';
import { inOrderOfCapture, standingOf, type AssessmentInSeries } from './series-order.js';

/**
 * Each analysis that stands, with what clinicians stated of its photo beside earlier analyses of it and not beside this one: that a photo is analysed again
 * takes no form back. A person who corrected the report saw its form, which then is all that is stated.
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

function withFormOf(one: AssessmentInSeries, superseded: AssessmentInSeries): AssessmentInSeries {
  const isWhole = one.isCorrected === true && one.observations !== null;
  return {
    ...one,
    observations: isWhole ? one.observations : joined(one.observations, superseded.observations),
    findings: withConfirmed(one.findings, superseded.findings),
  };
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

/**
 * The same without fields that were stated before another report stated them: a finding of the first day that comes with a photo of today takes nothing back
 * that somebody stated since, nor brings it again.
 */
export function withoutOutdated(assessments: readonly AssessmentInSeries[]): readonly AssessmentInSeries[] {
  if (!assessments.some(({ observations }) => isDatedOtherwise(observations))) return assessments;
  const ordered = inOrderOfCapture(assessments);
  return ordered.map((one, place) => (isDatedOtherwise(one.observations) ? since(one, ordered.slice(0, place)) : one));
}

function isDatedOtherwise(observations: ClinicianObservations | null): boolean {
  return observations?.statedAt !== undefined || observations?.stage?.statedAt !== undefined;
}

function since(one: AssessmentInSeries, earlier: readonly AssessmentInSeries[]): AssessmentInSeries {
  const fields = fieldsOf(one.observations!);
  const outdated = fields.filter((field) => {
    const { latest } = momentOf(one, field);
    return earlier.some(
      (other) => other.observations?.[field] !== undefined && momentOf(other, field).earliest > latest,
    );
  });
  if (outdated.length === 0) return one;
  const kept = Object.entries(one.observations!).filter(([field]) => !outdated.includes(field as ClinicianField));
  const isStated = kept.some(([field, value]) => field !== 'statedAt' && value !== undefined);
  return { ...one, observations: isStated ? Object.fromEntries(kept) : null };
}

function fieldsOf(observations: ClinicianObservations): ClinicianField[] {
  const stated = Object.keys(observations).filter((field) => field !== 'statedAt') as ClinicianField[];
  return stated.filter((field) => observations[field] !== undefined);
}

/** Of the photo, unless the field was stated at another time. */
function momentOf(
  { observations, capturedAt }: AssessmentInSeries,
  field: ClinicianField,
): { readonly earliest: Date; readonly latest: Date } {
  const own = field === 'stage' ? observations?.stage?.statedAt : undefined;
  const span = ClinicalTime.read(observations?.statedAt?.[field] ?? own)?.spanIn('UTC');
  return { earliest: span?.low ?? capturedAt, latest: span?.high ?? capturedAt };
}
