import type { JobSubject } from '../analysis/analysis-job.js';
import type { Correction } from '../followup/correction.js';
import type { Reviewer } from '../followup/wound.js';
import type { ReviewDecision } from './report-status.js';

/** A person's decision about a report. */
export interface ReviewRequest extends Correction {
  readonly decision: ReviewDecision;
  /** With `reassign`: whose wound it is. */
  readonly subject?: JobSubject | undefined;
  readonly note?: string | undefined;
  readonly reviewer: Reviewer;
  /** The person behind the request (X-Sutura-User). */
  readonly enteredBy?: string | undefined;
}

/** True if a person confirmed the assessment: accepted, corrected or reassigned it. */
export function isConfirmed(review: Pick<ReportReview, 'decision'> | null): boolean {
  return review !== null && review.decision !== 'reject';
}

/** A decision; never deleted. */
export interface ReportReview {
  readonly id: string;
  readonly reportId: string;
  /** The version that the decision made. */
  readonly version: number;
  readonly decision: ReviewDecision;
  readonly reviewer: Reviewer;
  readonly note: string | null;
  /** The changes, as they were sent. */
  readonly changes: Pick<
    ReviewRequest,
    'contour' | 'outlines' | 'tissue' | 'calibration' | 'observations' | 'subject'
  > | null;
  readonly reviewedAt: Date;
  /** null: not named. */
  readonly enteredBy: string | null;
}
