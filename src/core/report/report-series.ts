import { flagsOf } from '../followup/flags.js';
import { compareSeries, type AssessmentInSeries, type SeriesComparison } from '../followup/series.js';
import type { Wound } from '../followup/wound.js';
import type { Clock } from '../ports/clock.js';
import type { Outbox } from '../ports/outbox.js';
import type { ReportRepository } from '../ports/report.repository.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { tenantOf } from '../tenancy/tenant.js';
import type { ClinicalReport, ReportContent, SeriesReport } from './clinical-report.js';
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

/** What a report says by its place in the series of its wound. */
export type SeriesPlace = Pick<ReportContent, 'subject' | 'comparison' | 'flags'>;

/** Keeps all reports of one wound true to each other. The caller holds the lock of `root`. */
export class ReportSeries {
  constructor(private readonly ports: ReportSeriesPorts) {}

  /**
   * Puts `pending` in its place, if there is one, and writes a further version of every other report whose content changes by it.
   * Returns the pending report as it was written; null where there was none, or another caller had inserted it before.
   */
  async settle(transaction: Transaction, root: Wound, pending: PendingReport | null = null): Promise<ClinicalReport | null> {
    const stored = (await this.ports.reports.series(transaction, tenantOf(root), root.id)).filter(({ id }) => id !== pending?.report.id);
    const places = placeInSeries(pending === null ? stored : [...stored, pending.report], root);
    const written = pending === null ? null : await this.write(transaction, pending, places.get(pending.report.id)!);
    if (pending !== null && written === null) return null;
    const changed = stored.filter((report) => !isSameJson(places.get(report.id), placeOf(report)));
    await this.recompute(transaction, changed.map((report) => ({ ...report, content: { ...report.content, ...places.get(report.id)! } })));
    return written;
  }

  private async write(transaction: Transaction, { report, write, woundId }: PendingReport, place: SeriesPlace): Promise<ClinicalReport | null> {
    const settled = { ...report, content: { ...report.content, ...place } };
    if (write === 'append') await this.ports.reports.append(transaction, settled);
    else if (!(await this.ports.reports.insert(transaction, settled, woundId))) return null;
    await this.tell(transaction, write === 'insert' ? 'report.ready' : 'report.amended', report);
    return settled;
  }

  private async recompute(transaction: Transaction, changed: readonly SeriesReport[]): Promise<void> {
    if (changed.length === 0) return;
    const issuedAt = this.ports.clock.now();
    const versions = changed.map((report) => ({ ...report, version: report.version + 1, status: statusAfterRecomputation(report.status), reason: 'recomputed' as const, issuedAt }));
    await this.ports.reports.appendFigures(transaction, versions);
    for (const report of changed) await this.tell(transaction, 'report.amended', report);
  }

  private async tell(transaction: Transaction, kind: 'report.ready' | 'report.amended', report: SeriesReport): Promise<void> {
    await this.ports.outbox.append(transaction, { kind, tenant: tenantOf(report), subjectId: report.id });
  }
}

/** What each report says, by its id, once all of them stand in one series. */
export function placeInSeries(reports: readonly SeriesReport[], root: Wound): Map<string, SeriesPlace> {
  const comparisons = compareSeries(reports.map(toAssessment));
  const findings = new Map(reports.map(({ id, content }) => [id, content.findings]));
  return new Map(
    reports.map(({ id, content }) => {
      const comparison: SeriesComparison = comparisons.get(id)!;
      const before = comparison.previous === null ? null : (findings.get(comparison.previous.reportId) ?? null);
      const subject = { ...content.subject, woundRef: root.id, woundId: root.woundId, woundIdSystem: root.woundIdSystem };
      return [id, { subject, comparison, flags: flagsOf(comparison, content.findings, before, subject.woundType) }];
    }),
  );
}

function placeOf({ content: { subject, comparison, flags } }: SeriesReport): SeriesPlace {
  return { subject, comparison, flags };
}

export function toAssessment({ id, jobId, imageId, content }: SeriesReport): AssessmentInSeries {
  return { reportId: id, jobId, imageId, capturedAt: new Date(content.capturedAt), findings: content.findings };
}
