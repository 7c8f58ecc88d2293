import { Injectable } from '@nestjs/common';
import type { DiagnosticReport, Observation } from '@medplum/fhirtypes';
import { Clock } from '../../../core/ports/clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport, ReportReading } from '../../../core/report/clinical-report.js';
import type { SeriesReading } from '../../../core/report/report-reader.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import { observationId, toReportResources } from '../../../reports/index.js';
import { AssessmentPlaces } from '../../../standards/fhir/store/assessment-places.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { FindingSources } from './finding-sources.js';
import { toProvenance } from './provenance.js';
import { ReportContexts, type ReportContext } from './report-contexts.js';
import { reportDocument } from './report-document.js';
import { ServiceResources } from './service-resources.js';

/** Versions of a report as versions of its DiagnosticReport, with their Observations and Provenance. */
@Injectable()
export class ReportVersions {
  constructor(
    private readonly resources: ServiceResources,
    private readonly contexts: ReportContexts,
    private readonly reports: ReportRepository,
    private readonly places: AssessmentPlaces,
    private readonly sources: FindingSources,
    private readonly clock: Clock,
  ) {}

  /** Writes those that come after `stored`, in their order, and the places of its series. The last of them. */
  async writeMissing(
    transaction: TenantTransaction,
    reading: SeriesReading,
    context: ReportContext,
    stored: StoredResource<DiagnosticReport> | null,
  ): Promise<StoredResource<DiagnosticReport> | null> {
    const { report, places } = reading;
    const written = stored?.version ?? 0;
    const missing =
      written === report.version - 1
        ? [report]
        : (await this.reports.versions(transaction, report.id)).filter(({ version }) => version > written);
    let latest = stored;
    for (const version of missing) latest = await this.writeVersion(transaction, context, version, latest);
    if (movesOthers(reading)) await this.places.keep(transaction, places);
    return latest;
  }

  private async writeVersion(
    transaction: TenantTransaction,
    context: ReportContext,
    version: ClinicalReport,
    before: StoredResource<DiagnosticReport> | null,
  ): Promise<StoredResource<DiagnosticReport>> {
    const { sequence, replaces, rendering } = context;
    const withdrawn = version.status === 'entered-in-error';
    const reading: ReportReading = {
      report: { ...version, replaces },
      sequence: withdrawn ? null : sequence,
      readAt: version.issuedAt,
      heading: null,
      presentVersion: version.version,
      trend: [],
    };
    const rendered = toReportResources(reading, {
      ...rendering,
      document: reportDocument(version),
      findingsBefore: await this.contexts.findingsBefore(transaction, version, context),
    });
    const { report } = rendered;
    const { observations, ...copied } = await this.sources.attribute(
      transaction,
      rendered.observations,
      context.photo,
      { hasEarlier: before !== null },
    );
    const observationIds = observations.map(({ id }) => id!);
    const { previous, sincePrevious } = version.content.comparison;
    const previousAreaId =
      previous === null || sincePrevious === null
        ? null
        : observationId(previous.reportId, rendering.style === 'discrete' ? 'area' : 'size');
    const provenance = toProvenance({
      report: version,
      observationIds,
      previousAreaId,
      copied,
      recordedAt: this.clock.now(),
    });
    await this.withdrawVanished(transaction, before?.resource, report);
    if (before === null) {
      // The locked patient prevents concurrent creation.
      const written = await this.resources.createAll(transaction, [...observations, report, provenance]);
      return written[observations.length] as StoredResource<DiagnosticReport>;
    }
    await this.resources.putAll(transaction, [...observations, provenance]);
    return this.resources.write<DiagnosticReport>(transaction, before, report);
  }

  /** A figure that the report no longer has must not be found as if it still stood. */
  private async withdrawVanished(
    transaction: TenantTransaction,
    before: DiagnosticReport | undefined,
    now: DiagnosticReport,
  ): Promise<void> {
    const kept = new Set(now.result?.map(({ reference }) => reference));
    for (const { reference } of before?.result ?? []) {
      if (reference === undefined || kept.has(reference)) continue;
      const stored = await this.resources.findForUpdate<Observation>(
        transaction,
        'Observation',
        reference.slice('Observation/'.length),
      );
      if (stored !== null)
        await this.resources.put<Observation>(transaction, {
          ...stored.resource,
          status: 'entered-in-error',
          ...(now.issued === undefined ? {} : { issued: now.issued }),
        });
    }
  }
}

/** A new report at the end of its series leaves the others where they stand. */
function movesOthers({ report, sequence, places }: SeriesReading): boolean {
  return report.version > 1 || sequence !== Math.max(...places.values());
}
