import type { Reviewer } from './reviewer.js';
import type { ClinicianObservations, JobSubject } from './resources.js';
import type { Tissue } from './result.js';

export type ReviewDecision = 'accept' | 'reject' | 'correct' | 'reassign';

/** A person's decision about a report. The job's own result stays what the model said. */
export interface ReportReview {
  /** `reject`: entered in error. `reassign`: the photo is of another patient or wound. */
  decision: ReviewDecision;
  reviewer: Reviewer;
  /** With `correct`: the wound's outline in pixels of the oriented photo, up to 4,000 points. */
  contour?:
    | { type: 'Polygon'; coordinates: [number, number][][] }
    | { type: 'MultiPolygon'; coordinates: [number, number][][][] };
  /** With `correct`: which of the result's wounds belong, by index. */
  outlines?: number[];
  /** With `correct`: shares of the wound bed, together 1. They count as confirmed by a clinician. */
  tissue?: Record<Tissue, number>;
  /** With `correct`: the scale of the oriented photo, as a person found it by something of known length in it. */
  calibration?: { mmPerPixel: number };
  /** With `correct`: all that a clinician states of the wound that day, in place of what had been stated. */
  observations?: ClinicianObservations;
  /** With a contour: it is meant although it is unlikely; else the report warns `outline_unlikely`. */
  confirmOutline?: boolean;
  /** With `reassign`: whose wound it is. */
  subject?: JobSubject;
  note?: string;
}

/** A link to the review desk. */
export interface ReviewLink {
  id: string;
  /** Opens once. A secret until then: show it to the person, and keep it nowhere. */
  url: string;
  /** The desk ends then, too. */
  expiresAt: string;
}
