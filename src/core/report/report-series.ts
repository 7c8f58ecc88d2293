import { flagsOf } from '../followup/flags.js';
import { compareSeries, type AssessmentInSeries, type SeriesComparison } from '../followup/series.js';
import type { Wound } from '../followup/wound.js';
import type { Clock } from '../ports/clock.js';
import type { Outbox } from '../domain-events/outbox.js';
import type { ReportRepository } from './report.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalReport, ReportContent, ReportFigures, VersionReason } from './clinical-report.js';
import { statusAfterRecomputation } from './report-status.js';
import { isSameJson } from './same-content.js';

export interface ReportSeriesPorts {
  readonly reports: ReportRepository;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** A report that is about to be written into a series: a first version, or a further one. */
export interface PendingReport {
  readonly report: ClinicalReport;
  readonly write: 'insert' | 'append';
  /** The wound of the assessment itself. */
  readonly woundId: string;
}

/** Why further versions are made: other assessments changed what the report says, or a merge of patients moved it. Told as `report.amended`, `report.moved`. */
export type FurtherReason = Extract<VersionReason, 'recomputed' | 'moved'>;

/** Keeps all reports of one wound consistent. The caller holds the lock of `root`. */
export class ReportSeries {
  constructor(private readonly ports: ReportSeriesPorts) {}

  /**
   * Puts `pending` in its place, if there is one, and writes a further version of every other report whose content changes by it.
   * Returns the pending report as it was written; null where there was none, or another caller had inserted it before.
   */
  async settle(
    transaction: TenantTransaction,
    root: Wound,
    pending: PendingReport | null = null,
    reason: FurtherReason = 'recomputed',
  ): Promise<ClinicalReport | null> {
    const stored = (await this.ports.reports.series(transaction, root.id)).filter(
      ({ id }) => id !== pending?.report.id,
    );
    const contents = placeInSeries(pending === null ? stored : [...stored, pending.report], root);
    const written = pending === null ? null : await this.write(transaction, pending, contents.get(pending.report.id)!);
    if (pending !== null && written === null) return null;
    const settled = stored.map((report) => ({ ...report, content: contents.get(report.id)! }));
    await this.recompute(
      transaction,
      settled.filter(({ content }, index) => !isSameJson(content, stored[index]!.content)),
      reason,
    );
    return written;
  }

  private async write(
    transaction: TenantTransaction,
    { report, write, woundId }: PendingReport,
    content: ReportContent,
  ): Promise<ClinicalReport | null> {
    const settled = { ...report, content };
    if (write === 'append') await this.ports.reports.append(transaction, [settled]);
    else if (!(await this.ports.reports.insert(transaction, settled, woundId))) return null;
    await this.tell(transaction, write === 'insert' ? 'report.ready' : 'report.amended', report);
    return settled;
  }

  private async recompute(
    transaction: TenantTransaction,
    changed: readonly ClinicalReport[],
    reason: FurtherReason,
  ): Promise<void> {
    if (changed.length === 0) return;
    const issuedAt = this.ports.clock.now();
    const versions = changed.map((report) => ({
      ...report,
      version: report.version + 1,
      status: statusAfterRecomputation(report.status),
      reason,
      issuedAt,
    }));
    await this.ports.reports.append(transaction, versions);
    for (const report of versions)
      await this.tell(transaction, reason === 'moved' ? 'report.moved' : 'report.amended', report);
  }

  private async tell(
    transaction: TenantTransaction,
    kind: 'report.ready' | 'report.amended' | 'report.moved',
    report: ClinicalReport,
  ): Promise<void> {
    await this.ports.outbox.append(transaction, { kind, subjectId: report.id });
  }
}

/** The content of each report once all of them stand in one series. */
export function placeInSeries(reports: readonly ClinicalReport[], root: Wound): Map<string, ReportContent> {
  const comparisons = compareSeries(reports.map(toAssessment));
  const findings = new Map(reports.map(({ id, content }) => [id, content.findings]));
  return new Map(
    reports.map(({ id, content }) => {
      const comparison: SeriesComparison = comparisons.get(id)!;
      const before = comparison.previous === null ? null : (findings.get(comparison.previous.reportId) ?? null);
      const subject = {
        ...content.subject,
        patient: root.patient,
        woundRef: root.id,
        woundId: root.woundId,
        woundIdSystem: root.woundIdSystem,
      };
      return [
        id,
        { ...content, subject, comparison, flags: flagsOf(comparison, content.findings, before, subject.woundType) },
      ];
    }),
  );
}

export function toAssessment({ id, jobId, imageId, content }: ReportFigures): AssessmentInSeries {
  return { reportId: id, jobId, imageId, capturedAt: new Date(content.capturedAt), findings: content.findings };
}
