import type { CodedConcept } from '../analysis/analysis-job.js';
import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import { ClinicalTime } from '../times/clinical-time.js';
import type { SeriesFindings } from './assessment.js';
import type { AgeGroup } from '../patients/patient-age.js';
import type { OtherUse } from './same-photo.js';
import type { WoundDescription } from './wound.js';

/** The site as the sender of the photo stated it, and the wound that it named; a person may have joined that into another since. */
export interface StatedSite extends Pick<WoundDescription, 'bodySite' | 'laterality'> {
  readonly woundRef: string;
}

/** One of the areas that are told as one, of wounds that grew together or of the parts of one. */
export interface SummedArea {
  readonly woundRef: string;
  readonly reportId: string;
  readonly areaCm2: number;
}

/** One analysis of one photo of a wound, with what its comparison needs. */
export interface AssessmentInSeries {
  readonly reportId: string;
  readonly jobId: string;
  readonly imageId: string;
  readonly capturedAt: Date;
  /** As its sender stated it (`ClinicalTime`). */
  readonly capturedAsStated?: string | undefined;
  readonly findings: SeriesFindings;
  readonly stated: StatedSite;
  /** A person accepted, corrected or reassigned it. */
  readonly reviewed: boolean;
  /** A person put a form in place of the one that it came with, by this review or one before; absent: no. */
  readonly isFormReplaced?: boolean | undefined;
  /** What the same photo is filed for besides; absent: nothing that contradicts. */
  readonly otherUses?: readonly OtherUse[] | undefined;
  readonly woundType: CodedConcept | null;
  /** What a clinician stated of the wound that day; null: nothing, or not read. */
  readonly observations: ClinicianObservations | null;
  /** Of the patient, as the records say now; absent or null: not known. */
  readonly birthDate?: string | null | undefined;
  /** What was said of the age while a birth date was known; absent: nothing. It counts where none is known any longer. */
  readonly ageGroupSaid?: AgeGroup | undefined;
  readonly wasBeforeBirth?: boolean | undefined;
  /** Its sender asked for a result that waits for a person (`metadata.sandbox`); absent: no. */
  readonly isReviewAsked?: boolean | undefined;
  /** It stands for several wounds together, and its ids are those of the newest; absent: for itself. */
  readonly sumOf?: readonly SummedArea[] | undefined;
}

const DAY_MS = 86_400_000;

/** False where no more than the month or year of the photo was stated: weeks between it and others would be guessed. */
export function isDayKnown({ capturedAsStated }: Pick<AssessmentInSeries, 'capturedAsStated'>): boolean {
  const stated = ClinicalTime.read(capturedAsStated);
  return stated === null || stated.hasTimeOfDay || stated.precision === 'day';
}

/** The last moment that its time can mean: of a day, month or year the end. */
export function latestCapture({
  capturedAt,
  capturedAsStated,
}: Pick<AssessmentInSeries, 'capturedAt' | 'capturedAsStated'>): Date {
  const stated = ClinicalTime.read(capturedAsStated);
  if (stated === null || stated.hasTimeOfDay) return capturedAt;
  const { low, high } = stated.spanIn('UTC');
  return new Date(capturedAt.getTime() + high.getTime() - low.getTime() - 1);
}

/** In days of 24 hours: moments are compared, not dates. */
export function daysBetween(
  from: Pick<AssessmentInSeries, 'capturedAt'>,
  to: Pick<AssessmentInSeries, 'capturedAt'>,
): number {
  return (to.capturedAt.getTime() - from.capturedAt.getTime()) / DAY_MS;
}

/** Oldest photo first; of photos of the same moment the one that was reported first. */
export function inOrderOfCapture<T extends Pick<AssessmentInSeries, 'capturedAt' | 'reportId'>>(
  assessments: readonly T[],
): T[] {
  return [...assessments].sort(
    (a, b) => a.capturedAt.getTime() - b.capturedAt.getTime() || (a.reportId < b.reportId ? -1 : 1),
  );
}

/** What the order of a series depends on. */
export type Placeable = Pick<AssessmentInSeries, 'reportId' | 'imageId' | 'capturedAt' | 'reviewed'>;

/**
 * One place per photo: of several analyses of one photo the newest stands, but one that a person has reviewed stands before those that
 * nobody has. Oldest photo first.
 */
export function standingOf<T extends Placeable>(assessments: readonly T[]): T[] {
  const byPhoto = new Map<string, T>();
  for (const assessment of assessments) {
    const rival = byPhoto.get(assessment.imageId);
    if (rival === undefined || standsBefore(assessment, rival)) byPhoto.set(assessment.imageId, assessment);
  }
  return inOrderOfCapture([...byPhoto.values()]);
}

/** The ids of reports are made in the order of their making. */
function standsBefore(one: Placeable, other: Placeable): boolean {
  return one.reviewed === other.reviewed ? one.reportId > other.reportId : one.reviewed;
}

/** The place of each report in its wound's series: 1, 2, 3 …, the same for all analyses of one photo. */
export function placesOf(assessments: readonly Placeable[]): Map<string, number> {
  const places = new Map(standingOf(assessments).map(({ imageId }, index) => [imageId, index + 1]));
  return new Map(assessments.map(({ reportId, imageId }) => [reportId, places.get(imageId)!]));
}
