import type { ClinicalReport, ReportSubject, TrendPoint } from './clinical-report.js';

/** All assessments of one wound between two moments: what a clinic files when a wound's treatment ends. */
export interface CourseReport {
  readonly subject: ReportSubject;
  /** null: from the first photo. */
  readonly from: Date | null;
  /** null: to the last photo. */
  readonly to: Date | null;
  readonly issuedAt: Date;
  /** Current versions, oldest photo first; without those entered in error. */
  readonly reports: readonly ClinicalReport[];
  readonly trend: readonly TrendPoint[];
}
