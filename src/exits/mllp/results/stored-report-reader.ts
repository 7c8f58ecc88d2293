import { Injectable } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport, ReportReading } from '../../../core/report/clinical-report.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { OutboundQueue } from '../outbox/outbound-queue.js';
import { versionsFor } from '../routing/routes.js';
import { AnalysisReader, type AnalysisFacts } from './analysis-reader.js';

/** A report as the tables of the service have it, with its order. */
export interface StoredReport extends AnalysisFacts {
  readonly reading: ReportReading;
  /** Oldest first. */
  readonly versions: readonly ClinicalReport[];
  /** The versions that each destination, by its id, was not sent yet; destinations that lack none are absent. */
  readonly missing: ReadonlyMap<string, readonly ClinicalReport[]>;
  /** Destinations that were sent an earlier version. */
  readonly alreadySentTo: ReadonlySet<string>;
}

/** A report with all its versions, whoever was sent them. */
export type WholeReport = Omit<StoredReport, 'missing' | 'alreadySentTo'>;

/** Reads a report with its order, job and photo in one transaction. */
@Injectable()
export class StoredReportReader {
  constructor(
    private readonly reader: ReportReader,
    private readonly reports: ReportRepository,
    private readonly analyses: AnalysisReader,
    private readonly queue: OutboundQueue,
    private readonly clock: ClinicalClock,
  ) {}

  /** null: there is no such report, or no destination lacks a version of it. */
  async read(
    transaction: TenantTransaction,
    reportId: string,
    destinations: readonly Hl7Destination[],
  ): Promise<StoredReport | null> {
    const reading = await this.reader.readIn(transaction, reportId);
    if (reading === null) return null;
    const versions = await this.reports.versions(transaction, reportId);
    const { missing, alreadySentTo: alreadySentTo } = await this.missingOf(transaction, versions, destinations);
    if (missing.size === 0) return null;
    const { report } = reading;
    return {
      reading,
      versions,
      missing,
      alreadySentTo: alreadySentTo,
      ...(await this.analyses.of(transaction, report)),
    };
  }

  /** null: there is no such report. */
  async readWhole(transaction: TenantTransaction, reportId: string): Promise<WholeReport | null> {
    const reading = await this.reader.readIn(transaction, reportId);
    if (reading === null) return null;
    const versions = await this.reports.versions(transaction, reportId);
    return { reading, versions, ...(await this.analyses.of(transaction, reading.report)) };
  }

  /** As `read`, of one version for a destination that was given it before. null: there is no such version any more. */
  async readVersion(
    transaction: TenantTransaction,
    reportId: string,
    version: number,
    destination: Hl7Destination,
  ): Promise<StoredReport | null> {
    const reading = await this.reader.readIn(transaction, reportId);
    const versions = reading === null ? [] : await this.reports.versions(transaction, reportId);
    const wanted = versions.find((one) => one.version === version);
    if (reading === null || wanted === undefined) return null;
    return {
      reading,
      versions,
      missing: new Map([[destination.id, [wanted]]]),
      alreadySentTo: new Set([destination.id]),
      ...(await this.analyses.of(transaction, reading.report)),
    };
  }

  /** A destination is sent what is issued after it was made; it is not flooded with older reports. */
  private async missingOf(
    transaction: TenantTransaction,
    versions: readonly ClinicalReport[],
    destinations: readonly Hl7Destination[],
  ): Promise<Pick<StoredReport, 'missing' | 'alreadySentTo'>> {
    const reportId = versions[0]?.id;
    const missing = new Map<string, ClinicalReport[]>();
    const alreadySentTo = new Set<string>();
    if (reportId === undefined) return { missing, alreadySentTo: alreadySentTo };
    const timeline = await this.clock.timeline(transaction);
    for (const destination of destinations) {
      const since = timeline.at(destination.createdAt);
      const last = await this.queue.lastVersion(transaction, destination.id, reportId);
      const wanted = versionsFor(destination, versions).filter(
        ({ version, issuedAt }) => version > last && issuedAt >= since,
      );
      if (wanted.length > 0) missing.set(destination.id, wanted);
      if (last > 0) alreadySentTo.add(destination.id);
    }
    return { missing, alreadySentTo: alreadySentTo };
  }
}
