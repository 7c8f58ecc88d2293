import type { ClinicalReport, ReportContent } from '../../../core/report/clinical-report.js';

/** One version of a report as callers see it. Instants are RFC 3339 in UTC. */
export interface ReportView
  extends Omit<ClinicalReport, 'organizationId' | 'issuedAt' | 'content'>, Omit<ReportContent, 'subject'> {
  /** null where it is not known of this version. */
  readonly sequence: number | null;
  readonly issuedAt: string;
  readonly subject: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<'self' | 'versions' | 'job' | 'wound' | 'timeline', string>>;
}
