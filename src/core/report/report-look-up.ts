import type { AttentionReason } from '../followup/attention.js';
import type { LookUpCursor, LookUpPage } from '../analysis/look-up-page.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ReportStatus } from './report-status.js';

/** A report as its present version stands, without its content. */
export interface FiledReport {
  readonly id: string;
  readonly jobId: string;
  readonly imageId: string;
  /** The wound of the assessment itself; its series may be another wound's, by a merge. */
  readonly woundId: string;
  /** Of that wound; null: of nobody known. */
  readonly patientId: string | null;
  readonly version: number;
  readonly status: ReportStatus;
  /** Why it waits for a person; null: it does not. */
  readonly attention: readonly AttentionReason[] | null;
  readonly replaces: string | null;
  readonly replacedBy: string | null;
  readonly capturedAt: Date;
  /** When its first version was filed. */
  readonly createdAt: Date;
  /** When its job was made. */
  readonly listedAt: Date;
}

export abstract class ReportLookUp {
  /** Reports of jobs that have all these pairs, at least one, in their metadata; withdrawn ones too. Those of the newest job first. */
  abstract byMetadata(
    transaction: TenantTransaction,
    pairs: Readonly<Record<string, string>>,
    limit: number,
    after: LookUpCursor | null,
  ): Promise<LookUpPage<FiledReport>>;
}
