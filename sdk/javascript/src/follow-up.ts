import type { AreaChange, Interval } from './area-change.js';
import type { AreaRelation, SummedArea, WoundRelation } from './relations.js';
import type { AreaReset, ClinicalEvent } from './treatments.js';
import type { ClosureReason, Course } from './course.js';
import type { CodedConcept, StatedObservations } from './resources.js';
import type { Reviewer } from './reviewer.js';
import type { ReviewDecision } from './reviews.js';
import type {
  Measured,
  ModelUsed,
  Familiarity,
  PhotoQuality,
  PixelPolygon,
  PushScore,
  ScaleUsed,
  TissueComposition,
} from './result.js';
import type { WoundFigures, WoundInPhoto } from './wound-in-photo.js';

export type { WoundFigures, WoundInPhoto };

/** The service adds words over time: take one that you do not know as it is. */
type Open<Known extends string> = Known | (string & Record<never, never>);

/** The patient as you named them; `system` null: your own numbering. */
export interface PatientReference {
  id: string;
  system: string | null;
}

/** Only a person closes and reopens a wound. */
export type WoundStatus = Open<'open' | 'closed'>;

/** One physical wound over all its assessments. Times are RFC 3339. */
export interface Wound {
  /** The service's id of the wound. */
  id: string;
  patient: PatientReference | null;
  /** Your own id; null: unlinked, its assessment named no wound. */
  woundId: string | null;
  woundIdSystem: string | null;
  linked: boolean;
  bodySite: CodedConcept | null;
  laterality: Open<'left' | 'right' | 'midline'> | null;
  woundType: CodedConcept | null;
  status: WoundStatus;
  closedAt: string | null;
  /** The wound that a person joined this one into. */
  mergedInto: string | null;
  environment: string;
  createdAt: string;
  /** Its reports that wait for a person, oldest photo first. Absent among candidates and in a timeline. */
  attention?: WaitingReport[];
  links: { self: string; timeline: string; report: string };
}

/** A report that waits for a person to accept, correct, reject or reassign it. */
export interface WaitingReport {
  reportId: string;
  capturedAt: string;
  /** `capturedAt` as its sender stated it: with their offset, or a day, month or year alone. */
  capturedAsStated?: string;
  reasons: AttentionReason[];
  links: { report: string };
}

/** Why a report waits: a side or site that is not the wound's, an area that no healing makes within a week, one that no limb of that age has, a photo from before the patient's birth. */
export type AttentionReason = Open<
  | 'site_mismatch'
  | 'duplicate_photo'
  | 'which_outline'
  | 'no_wound_in_region'
  | 'area_jump'
  | 'area_implausible'
  | 'before_birth'
  | 'sandbox'
>;

/** How old the patient was: under a month, under a year, or under so many years. */
export type AgeGroup = Open<'newborn' | 'infant' | 'under_5' | 'under_10' | 'under_15' | 'under_18'>;

/** Who and where a report is about, as the records say now; null: not known. */
export interface ReportHeading {
  patientName: string | null;
  /** ISO 8601; a month or a year where no more is known. */
  birthDate: string | null;
  patientNumber: string | null;
  /** The organization, and where in it the patient lies. */
  facility: string | null;
  orderer: string | null;
  /** IANA zone in which documents print moments. */
  timeZone: string;
}

/** A person's decision about a wound. */
export interface WoundEvent {
  decision: Open<'merged' | 'unmerged' | 'closed' | 'reopened'>;
  /** Into which wound it was merged, or out of which it was taken. */
  otherWound: string | null;
  reviewer: Reviewer | null;
  note: string | null;
  /** Of closing; null: not said, which counts as other. */
  reason: ClosureReason | null;
  decidedAt: string;
  /** The person behind the request, of X-Sutura-User; null: not named. */
  enteredBy: string | null;
}

export interface WoundDetails extends Wound {
  /** As it stands now; null: not known. */
  course: Course | null;
  /** Of an unlinked wound: those of the same patient, site and side that a person may find to be the same. */
  candidates: Wound[];
  /** Oldest first. */
  events: WoundEvent[];
  /** What was done to it and stands, oldest first. */
  clinicalEvents: ClinicalEvent[];
  /** With what it has grown together, and into what it has fallen; those taken back, too. */
  relations: WoundRelation[];
}

/** One page of wounds, newest first. */
export interface WoundPage {
  items: Wound[];
  /** null on the last page. */
  nextCursor: string | null;
}

/** A figure with the interval that holds its true value in nine of ten cases. */
export interface Estimate extends Interval {
  value: number;
}

/** The course of the area over at least three comparable assessments of at most eight weeks. */
export interface AreaSlope {
  /** That it rests on, this one included. */
  assessments: number;
  /** From the first of them to this one. */
  days: number;
  /** Below 0: it shrinks. */
  pctPerWeek: Estimate;
  /** Below 0: the margin retreats. null where a perimeter is not known. */
  marginAdvanceMmPerDay: Estimate | null;
  /** The 95 % interval lies above 0. */
  isGrowth: boolean;
}

/** A person had closed the wound before the photo was taken. Times are RFC 3339. */
export interface WoundClosure {
  closedAt: string;
  reopenedAt: string | null;
  /** Absent: not said, which counts as other. */
  reason?: ClosureReason;
}

/** The flags of this release. */
export type FlagCode =
  | 'area_reduction_below_50_at_4_weeks'
  | 'area_reduction_below_90_at_8_weeks'
  | 'area_reduction_below_40_at_4_weeks'
  | 'area_growth'
  | 'area_growth_since_baseline'
  | 'area_growth_since_smallest'
  | 'area_growth_by_slope'
  | 'stalled_14_days'
  | 'stalled_28_days'
  | 'necrosis_rising'
  | 'reopened'
  | 'infection_signs_recorded'
  | 'size_mismatch';

/** Something worth a clinician's look; never a prediction. */
export interface FollowUpFlag {
  code: Open<FlagCode>;
  /**
   * A change in %, by slope in % a week, of a share in percentage points; days since the wound was closed; number of signs.
   */
  value: number;
  /** Holds the true value in nine of ten cases; null where nothing was measured twice. Reports of release 0.1 lack it and the next three. */
  interval?: Interval | null;
  days: number;
  comparedWith?: Open<'previous' | 'baseline' | 'smallest' | 'earlier' | 'slope'> | null;
  comparedWithReportId?: string | null;
  /** As a clinician recorded them. */
  words?: string[];
  evidence: string[];
  /** null: a plain comparison of two measurements. */
  evidenceFor: string | null;
  /** false: the stated kind (in reports of earlier releases none) may be another one, so whether the evidence holds is for the reader to judge. */
  woundTypeKnown: boolean;
}

/** Why a photo is not part of the trend; null: it is. */
export type NoTrendReason = Open<
  | 'no_wound_outlined'
  | 'multiple_outlines'
  | 'no_scale'
  | 'day_unknown'
  | 'awaiting_confirmation'
  | 'superseded'
  | 'withdrawn'
>;

/** null where two photos are not comparable. */
export type Trend = Open<'smaller' | 'larger' | 'within_detectable_change'>;

/** `slope` where there are three comparable assessments, else `pair`: against the one before. */
export type TrendBasis = Open<'slope' | 'pair'>;

export type ReportStatus = Open<'preliminary' | 'final' | 'amended' | 'corrected' | 'entered-in-error'>;

export type OutlineSource = Open<'model' | 'reviewer_choice' | 'reviewer_contour'>;

/** One photo in the series of its wound, as it stands now. */
export interface TimelineAssessment {
  /** In the whole series, oldest photo first. */
  sequence: number;
  capturedAt: string;
  /** `capturedAt` as its sender stated it: with their offset, or a day, month or year alone. */
  capturedAsStated?: string;
  jobId: string;
  imageId: string;
  reportId: string;
  reportVersion: number;
  reportStatus: ReportStatus;
  woundDetected: boolean;
  /** null without an outline or a scale. */
  areaCm2: Measured | null;
  lengthCm: Measured | null;
  widthCm: Measured | null;
  perimeterCm: Measured | null;
  areaPixels: number | null;
  tissue: TissueComposition | null;
  /** Those whose share a clinician stated. */
  confirmedTissues: string[];
  quality: PhotoQuality;
  scaleSource: string;
  model: string;
  outlineSource: OutlineSource;
  noTrendReason: NoTrendReason | null;
  /** Empty: it does not wait for a person. */
  attention: AttentionReason[];
  sincePrevious: AreaChange | null;
  sinceBaseline: AreaChange | null;
  sinceSmallest: AreaChange | null;
  slope: AreaSlope | null;
  trend: Trend | null;
  trendBasis: TrendBasis | null;
  /** Of the patient on the photo; absent: an adult, or no birth date is known. */
  ageGroup?: AgeGroup;
  /** Absent: no treatment changed the area by itself. */
  reset?: AreaReset;
  /** Absent: it neither grew together with others nor fell apart. */
  relation?: AreaRelation;
  /** Absent: none. */
  unconfirmedNecrosis?: UnconfirmedNecrosis;
  /** The report of the same photo that stands in place of this one. */
  supersededBy: string | null;
  /** null in reports by rules 1 to 3. */
  course: Course | null;
  flags: FollowUpFlag[];
  links: { job: string; report: string };
}

/** The series of a wound: decision support, not a diagnosis. */
export interface WoundTimeline {
  /** The wound asked for, or the one that it was merged into. */
  wound: Wound;
  /** Oldest photo first, by capture time; without those entered in error. */
  assessments: TimelineAssessment[];
}

/** What the photo says of the wound, after what people corrected. */
export interface AssessmentFindings {
  photo: { widthPx: number; heightPx: number };
  woundDetected: boolean;
  /** Those that belong to the wound. */
  outlines: PixelPolygon[];
  outlineSource: OutlineSource;
  /** Found in the photo and not counted. */
  otherOutlines: number;
  /** Every outline of the photo, where there are several. Earlier reports lack it. */
  wounds?: WoundInPhoto[];
  /** Several outlines compete, and nobody has said which belong. */
  ambiguous: boolean;
  /** null without an outline. Of several, area and perimeter are sums, length and width those of the largest. */
  figures: WoundFigures | null;
  tissue: TissueComposition | null;
  confirmedTissues: string[];
  push: PushScore | null;
  /** null where a person drew the outline. */
  confidence: number | null;
  quality: PhotoQuality;
  /** Of the model's outline, whoever drew the present one. Absent in reports of older releases. */
  familiarity?: Familiarity | null;
  scale: ScaleUsed;
  areaRepeatabilityPct: number;
  model: string;
}

/** Another assessment of the wound, measured or not. */
export interface AssessmentLink {
  reportId: string;
  jobId: string;
  imageId: string;
  capturedAt: string;
  /** `capturedAt` as its sender stated it: with their offset, or a day, month or year alone. */
  capturedAsStated?: string;
}

/** An earlier assessment that has an area. */
export interface SeriesPoint extends AssessmentLink {
  areaCm2: Measured;
  /** The area is that of several wounds which have grown together since; absent: of one. */
  sumOf?: SummedArea[];
}

/** Much necrosis, by the software alone, for a person to look at: it changes no verdict and raises no flag. */
export interface UnconfirmedNecrosis {
  /** null: no earlier photo whose tissue can be trusted. */
  fromPct: number | null;
  toPct: number;
  /** 0: nothing is compared. */
  days: number;
  comparedWithReportId: string | null;
}

/** Against the wound's earlier photos. */
export interface SeriesComparison {
  /** Edition of the rules of docs/follow-up.md; 1 is that of release 0.1. */
  rules: number;
  noTrendReason: NoTrendReason | null;
  /** Empty: it does not wait for a person. */
  attention: AttentionReason[];
  /** The photo before, measured or not. */
  previousAssessment: AssessmentLink | null;
  /** The last that this one can be compared with, safely where there is one. */
  previous: SeriesPoint | null;
  /** The first area, since the wound was last closed. */
  baseline: SeriesPoint | null;
  /** The smallest area before this one that it is safely compared with. */
  smallest: SeriesPoint | null;
  sincePrevious: AreaChange | null;
  sinceBaseline: AreaChange | null;
  sinceSmallest: AreaChange | null;
  slope: AreaSlope | null;
  trend: Trend | null;
  trendBasis: TrendBasis | null;
  /** The report of the same photo that stands in place of this one. */
  supersededBy: string | null;
  /** The report of the same photo that this one stands in place of. */
  supersedes: string | null;
  closure: WoundClosure | null;
  /** Of the patient on the photo; absent: an adult, or no birth date is known. */
  ageGroup?: AgeGroup;
  /** Absent: no treatment changed the area by itself. */
  reset?: AreaReset;
  /** Absent: it neither grew together with others nor fell apart. */
  relation?: AreaRelation;
  /** Absent: none. */
  unconfirmedNecrosis?: UnconfirmedNecrosis;
  /** Of what `wound.attention` tells what an earlier photo has told; absent: nothing. */
  raisedBefore?: string[];
  /** Absent in reports by rules 1 to 3. */
  course?: Course;
}

/** The report of one photo, in one version: decision support, not a diagnosis. */
export interface ClinicalReport {
  id: string;
  version: number;
  /** `preliminary` until a person accepts or corrects it. */
  status: ReportStatus;
  reason: Open<'created' | 'reviewed' | 'recomputed' | 'moved' | 'photo_erased'>;
  environment: string;
  jobId: string;
  imageId: string;
  /** Of this photo in the wound's series; null for one entered in error, and for earlier versions. */
  sequence: number | null;
  /** The report whose place this one took, by a reassignment. */
  replaces: string | null;
  replacedBy: string | null;
  /** When this version was made. */
  issuedAt: string;
  /** `woundRef` is what `getWound` takes, `woundId` your own id. */
  subject: Pick<Wound, 'patient' | 'woundId' | 'woundIdSystem' | 'bodySite' | 'laterality' | 'woundType'> & {
    woundRef: string;
  };
  capturedAt: string;
  /** `capturedAt` as its sender stated it: with their offset, or a day, month or year alone. */
  capturedAsStated?: string;
  clinicalContext: string | null;
  clinicianObservations: StatedObservations | null;
  findings: AssessmentFindings;
  comparison: SeriesComparison;
  flags: FollowUpFlag[];
  /** The decision that last shaped the report; null: no person has looked at it. */
  review: {
    decision: Open<ReviewDecision>;
    reviewer: Reviewer;
    note: string | null;
    reviewedAt: string;
    /** The person behind the request, of X-Sutura-User; absent: not named. */
    enteredBy?: string;
  } | null;
  models: ModelUsed[];
  /** The outcome that `metadata.sandbox` of its job asked for; absent: none, and in live always. */
  sandbox?: string;
  /** Absent in lists of versions and in answers to reviews. */
  heading?: ReportHeading;
  /** Photos that documents of this report showed and that were deleted; absent: none. */
  erasedPhotos?: { imageId: string; erasedAt: string }[];
  links: { self: string; versions: string; job: string; wound: string; timeline: string };
}

/** A report as it was read. */
export interface ReadReport extends ClinicalReport {
  /** Names the version that was read: `reviewReport` sends it, so that nobody decides about what they have not seen. */
  etag: string;
}
