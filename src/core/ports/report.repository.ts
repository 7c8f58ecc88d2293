import type { ClinicalReport, ReportFigures } from '../report/clinical-report.js';
import type { ReportReview } from '../report/review.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { Transaction } from './unit-of-work.js';

/** A report's present version, and the wound it was made of. */
export interface CurrentReport {
  readonly report: ClinicalReport;
  /** The wound of the assessment itself; its series may be another wound's, by a merge. */
  readonly woundId: string;
}

export abstract class ReportRepository {
  /** The first version of a report. False where the job has one already: nothing was written. */
  abstract insert(transaction: Transaction, report: ClinicalReport, woundId: string): Promise<boolean>;
  /** Further versions, each of another report. The caller holds the series' lock. */
  abstract append(transaction: Transaction, reports: readonly ClinicalReport[]): Promise<void>;
  /** Notes on the old report which one took its place. */
  abstract markReplaced(transaction: Transaction, reportId: string, replacedBy: string): Promise<void>;
  /** null for unknown, malformed, foreign. */
  abstract find(transaction: Transaction, tenant: Tenant, reportId: string): Promise<CurrentReport | null>;
  /** Oldest version first; empty for unknown, malformed, foreign. */
  abstract versions(transaction: Transaction, tenant: Tenant, reportId: string): Promise<ClinicalReport[]>;
  /** Present versions of all reports of the wound and of those merged into it, oldest photo first, without those entered in error. */
  abstract series(transaction: Transaction, tenant: Tenant, rootWoundId: string): Promise<ClinicalReport[]>;
  /** The figures of `series`, which are a fifth of its bytes. */
  abstract figures(transaction: Transaction, tenant: Tenant, rootWoundId: string): Promise<ReportFigures[]>;
  abstract recordReview(transaction: Transaction, tenant: Tenant, review: ReportReview): Promise<void>;
}
