import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import type { ModelUsed } from '../measurement/wound-result.js';
import type { AssessmentFindings, SeriesFindings } from '../followup/assessment.js';
import type { AreaRelation } from '../followup/related-areas.js';
import type { AreaReset } from '../followup/area-reset.js';
import type { TimedEvent } from '../followup/clinical-event.js';
import type { FollowUpFlag } from '../followup/flags.js';
import type { OtherUse } from '../followup/same-photo.js';
import type { SeriesChanges, SeriesComparison } from '../followup/series.js';
import type { StatedSite, SummedArea } from '../followup/series-order.js';
import type { Closure } from '../followup/wound-closure.js';
import type { Reviewer, WoundDescription } from '../followup/wound.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { ReportHeading } from './report-heading.js';
import type { ReportStatus, ReviewDecision } from './report-status.js';

/** The patient and wound, with the ids as the caller gave them. */
export interface ReportSubject extends WoundDescription {
  /** null: nobody named the patient. */
  readonly patient: { readonly system: string; readonly value: string } | null;
  /** This service's id of the wound; after a merge that of the wound it was joined into. */
  readonly woundRef: string;
  /** The caller's own id; null: unlinked. */
  readonly woundId: string | null;
  readonly woundIdSystem: string;
}

/** The decision that last shaped the report. */
export interface ReviewStamp {
  readonly decision: ReviewDecision;
  readonly reviewer: Reviewer;
  readonly note: string | null;
  /** RFC 3339, UTC. */
  readonly reviewedAt: string;
  /** The person behind the request that brought the decision (X-Sutura-User); absent: not named. */
  readonly enteredBy?: string;
}

/** A photo that a document of the report showed and that was erased. */
export interface PhotoErasure {
  readonly imageId: string;
  /** RFC 3339, UTC. */
  readonly erasedAt: string;
}

/** All that a reader may act on. Two equal contents are the same report: only where this differs is a new version made. */
export interface ReportContent {
  readonly subject: ReportSubject;
  /** As the sender of this photo stated it; `subject` says what is known of the wound. */
  readonly stated: StatedSite;
  /** What the same photo is filed for besides; absent: nothing that contradicts. */
  readonly otherUses?: readonly OtherUse[];
  /** RFC 3339, UTC. Of a day, month or year its beginning. */
  readonly capturedAt: string;
  /** As its sender stated it (`ClinicalTime`); absent: they stated nothing, or an older release read it. */
  readonly capturedAsStated?: string;
  readonly clinicalContext: string | null;
  readonly clinicianObservations: ClinicianObservations | null;
  /** Whether a review put these in place of what had been stated; absent: no review, or an older release wrote it. */
  readonly formReplaced?: boolean;
  readonly findings: AssessmentFindings;
  readonly comparison: SeriesComparison;
  readonly flags: readonly FollowUpFlag[];
  /** null: no person has looked at it. */
  readonly review: ReviewStamp | null;
  readonly models: readonly ModelUsed[];
  /** The outcome that its job asked for, in the test environment alone (`metadata.sandbox`); absent: none. */
  readonly sandbox?: string;
  /** Its own photo and those shown for comparison, in the order of erasure; absent: none. */
  readonly erasedPhotos?: readonly PhotoErasure[];
}

/** Why a version was made; `moved`: its patient’s record, or that of its wound’s other photos, was joined into another; `photo_erased`: a photo that it showed was erased. */
export const VERSION_REASONS = ['created', 'reviewed', 'recomputed', 'moved', 'photo_erased'] as const;
export type VersionReason = (typeof VERSION_REASONS)[number];

/**
 * One version of the report of one photo; versions are written once and kept. Neutral: every document, FHIR resource and HL7 segment
 * is a rendering of it, with these figures, rounded once, where they were measured.
 */
export interface ClinicalReport extends Tenant {
  readonly id: string;
  /** 1, 2, 3 … */
  readonly version: number;
  readonly status: ReportStatus;
  readonly reason: VersionReason;
  readonly jobId: string;
  readonly imageId: string;
  /** The report of the same photo that this one took the place of, by a reassignment. */
  readonly replaces: string | null;
  /** The report that took this one's place. */
  readonly replacedBy: string | null;
  /** The time of this version. */
  readonly issuedAt: Date;
  readonly content: ReportContent;
}

/**
 * A report as a timeline shows it: its figures, without what only the report itself says. Long series are read in this form, since it is
 * a fifth of the bytes.
 */
export interface ReportFigures extends Pick<ClinicalReport, 'id' | 'version' | 'status' | 'jobId' | 'imageId'> {
  readonly content: FiguresContent;
}

export interface FiguresContent extends Pick<
  ReportContent,
  'capturedAt' | 'capturedAsStated' | 'stated' | 'otherUses' | 'flags'
> {
  /** A person accepted, corrected or reassigned it. */
  readonly reviewed: boolean;
  readonly findings: SeriesFindings;
  readonly comparison: SeriesChanges;
}

/** One point of the curve that a document draws. */
export interface TrendPoint {
  /** null: of another number, or of several wounds together. */
  readonly reportId: string | null;
  readonly capturedAt: Date;
  /** As its sender stated it. */
  readonly capturedAsStated?: string | undefined;
  readonly areaCm2: { readonly value: number; readonly lower: number; readonly upper: number };
  /** It raised at least one flag. */
  readonly isFlagged: boolean;
  /** Its photo is poor, or its outline likely wrong and seen by nobody; absent: neither, or not of this number alone. */
  readonly isDoubtful?: boolean;
  /** A person had closed the wound before. */
  readonly closure: Closure | null;
  /** A treatment by which it counts anew; absent: none. */
  readonly reset?: Pick<AreaReset, 'occurredAt' | 'baselineReportId'> | undefined;
  /** What grew together or fell apart, by which it counts anew; absent: nothing. */
  readonly relation?: Pick<AreaRelation, 'kind' | 'at'> | undefined;
  /** The areas that it adds up, of wounds that grew together or of the parts of one; absent: of one wound. */
  readonly sumOf?: readonly SummedArea[] | undefined;
}

/** A report with what belongs to the moment it is read at. */
export interface ReportReading {
  readonly report: ClinicalReport;
  /** null: not looked up, as where the report is no document. */
  readonly heading: ReportHeading | null;
  /**
   * 1 for the oldest photo of the wound, the same for all analyses of one photo; null for a report entered in error. Derived on reading, never a
   * reason for a new version.
   */
  readonly sequence: number | null;
  /** The moment of which the place is: a photo that comes later may have been taken before this one. */
  readonly readAt: Date;
  /** The version that now stands; above the report's own where an earlier version is read. */
  readonly presentVersion: number;
  /** Areas of the wound up to this photo, oldest first; this one's last. */
  readonly trend: readonly TrendPoint[];
  /** What was done to the wound up to this photo, oldest first; absent: not looked up. */
  readonly events?: readonly TimedEvent[];
}

/** A picture made from a photo, free of any metadata. */
export interface ReportPicture {
  readonly imageId: string;
  /** JPEG. */
  readonly bytes: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly capturedAt: Date;
  /** As its sender stated it. */
  readonly capturedAsStated?: string | undefined;
  /** How much skin the picture shows from left to right, at the wound; null: its photo has no scale, and nothing in it can be measured. */
  readonly widthCm: number | null;
  /** The length of the scale bar in it; null: there is none. */
  readonly scaleBarMm: number | null;
}

/** The places in a series whose pictures stand side by side. */
export const COMPARED_PLACES = ['first', 'previous', 'current'] as const;
export type ComparedPlace = (typeof COMPARED_PLACES)[number];

/** The wound at one assessment, in a part of the photo that is equally large for all of them. */
export interface ComparedPicture {
  readonly place: ComparedPlace;
  readonly picture: ReportPicture;
  /** null where that photo gives no area. */
  readonly areaCm2: number | null;
  /** Its 90 % interval. */
  readonly areaBounds?: { readonly lower: number; readonly upper: number };
}

/** The pictures of a report; null where there is none or the photo was deleted. */
export interface ReportPictures {
  /** The whole photo, its outlines numbered. */
  readonly overview: ReportPicture | null;
  /** The wound and a little of the skin around it. */
  readonly closeUp: ReportPicture | null;
  /** The same part of the photo, with the tissues in colour. */
  readonly tissueMap: ReportPicture | null;
  /** The wound then and now, oldest first, at one scale where their photos have one; empty where there is only this photo. */
  readonly compared: readonly ComparedPicture[];
}

/** Those of a document that shows none. */
export const NO_PICTURES: ReportPictures = { overview: null, closeUp: null, tissueMap: null, compared: [] };

/** All assessments of one wound between two moments: what a clinic files when a wound's treatment ends. */
export interface CourseReport {
  readonly heading: ReportHeading | null;
  readonly subject: ReportSubject;
  /** null: from the first photo. */
  readonly from: Date | null;
  /** null: to the last photo. */
  readonly to: Date | null;
  readonly issuedAt: Date;
  /** Current versions, oldest photo first; without those entered in error. */
  readonly reports: readonly ClinicalReport[];
  readonly trend: readonly TrendPoint[];
  /** What was done to the wound in that time, oldest first; absent: not looked up. */
  readonly events?: readonly TimedEvent[];
}
