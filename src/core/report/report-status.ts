import { SuturaError } from '../errors/sutura-error.js';
import type { ResultPolicy } from '../organizations/organization.js';

/** Words and meaning of FHIR R4 DiagnosticReport.status; `completed` of a job is not `final`. */
export const REPORT_STATUSES = ['preliminary', 'final', 'amended', 'corrected', 'entered-in-error'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

export const REVIEW_DECISIONS = ['accept', 'reject', 'correct', 'reassign'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/** A report without a review. */
export function initialStatus(policy: ResultPolicy): ReportStatus {
  return policy === 'auto-final' ? 'final' : 'preliminary';
}

/** A result that waits for a person is not final before one has decided, whatever the policy. */
export function statusOnFiling(status: ReportStatus, waits: boolean): ReportStatus {
  return waits && status === 'final' ? 'preliminary' : status;
}

/**
 * The status after a person's decision. The first accept or correct makes a report final, a correction after that corrected;
 * `report.entered_in_error` for one that was withdrawn: it takes no further decision.
 */
export function statusAfterReview(status: ReportStatus, decision: ReviewDecision): ReportStatus {
  if (status === 'entered-in-error') throw new SuturaError('report.entered_in_error');
  if (decision === 'reject' || decision === 'reassign') return 'entered-in-error';
  if (status === 'preliminary') return 'final';
  return decision === 'correct' ? 'corrected' : status;
}

/** The status after other assessments changed this one's figures: never raised; only what was final becomes amended. */
export function statusAfterRecomputation(status: ReportStatus): ReportStatus {
  return status === 'final' ? 'amended' : status;
}
