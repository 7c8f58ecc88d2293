import { Injectable } from '@nestjs/common';
import type { DiagnosticReport, Observation } from '@medplum/fhirtypes';
import { Clock } from '../../../core/ports/clock.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport, ReportReading } from '../../../core/report/clinical-report.js';
import { ReportReader, type SeriesReading } from '../../../core/report/report-reader.js';
import { observationId, toReportResources } from '../../../reports/index.js';
import { AssessmentPlaces } from '../../../standards/fhir/store/assessment-places.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { OrderProjection } from './order-projection.js';
import { toProvenance } from './provenance.js';
import { reportDocument } from './report-document.js';
import { ReportContexts, type ReportOfPatient, type ReportContext } from './report-contexts.js';
import { ServiceResources } from './service-resources.js';
import { TaskProjection } from './task-projection.js';

/**
 * Writes reports as FHIR: DiagnosticReport, Observations, Provenance, and what they refer to. Each version of a report becomes exactly one
 * version of its DiagnosticReport, in their order, so that both have the same number and one ETag means both.
 */
@Injectable()
export class ReportProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly contexts: ReportContexts,
    private readonly tasks: TaskProjection,
    private readonly orders: OrderProjection,
    private readonly reports: ReportRepository,
    private readonly reader: ReportReader,
    private readonly places: AssessmentPlaces,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings the resources of these reports up to the present versions, in the caller's transaction. A repeat changes nothing. Answers the
   * DiagnosticReports in the order asked; null while no patient is assigned.
   */
  async project(
    transaction: TenantTransaction,
    reportIds: readonly string[],
  ): Promise<(StoredResource<DiagnosticReport> | null)[]> {
    const assigned = new Map<string, ReportOfPatient>();
    for (const id of reportIds) {
      const report = await this.contexts.ofPatient(transaction, id);
      if (report !== null) assigned.set(id, report);
    }
    // Always in the same order, so that two projections that move reports between the same patients do not wait for each other.
    const patients = [...assigned.values()].map(({ patientId }) => patientId);
    for (const patientId of [...new Set(patients)].sort()) await this.resources.lockPatient(transaction, patientId);
    const projected: (StoredResource<DiagnosticReport> | null)[] = [];
    for (const reportId of reportIds) {
      const report = assigned.get(reportId);
      projected.push(report === undefined ? null : await this.projectOne(transaction, report));
    }
    return projected;
  }

  private async projectOne(
    transaction: TenantTransaction,
    assigned: ReportOfPatient,
  ): Promise<StoredResource<DiagnosticReport> | null> {
    const { id, patientId } = assigned;
    const around = await this.contexts.findAround(transaction, assigned);
    const stored = around.of<DiagnosticReport>('DiagnosticReport', id);
    // Read after the lock: its last holder may have written a version meanwhile.
    const reading = await this.reader.readInSeries(transaction, id);
    const written = stored?.version ?? 0;
    if (reading === null || reading.report.version <= written) return stored;
    const { report, places } = reading;
    const missing =
      written === report.version - 1
        ? [report]
        : (await this.reports.versions(transaction, report.id)).filter(({ version }) => version > written);
    const context = await this.contexts.prepare(transaction, patientId, reading, around);
    let latest = stored;
    for (const version of missing) latest = await this.writeVersion(transaction, context, version, latest);
    if (movesOthers(reading)) await this.places.keep(transaction, places);
    const task = await this.tasks.reportReady(transaction, report, patientId, around.of('Task', report.jobId));
    await this.resources.changeAll(transaction, [...context.changes, ...task]);
    if (report.status !== 'preliminary' && report.status !== 'entered-in-error')
      await this.orders.reportIssued(transaction, report.jobId);
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
    const { report, observations } = toReportResources(reading, {
      ...rendering,
      document: reportDocument(version),
      findingsBefore: await this.contexts.findingsBefore(transaction, version, context),
    });
    const observationIds = observations.map(({ id }) => id!);
    const { previous, sincePrevious } = version.content.comparison;
    const previousAreaId =
      previous === null || sincePrevious === null
        ? null
        : observationId(previous.reportId, rendering.style === 'discrete' ? 'area' : 'size');
    const provenance = toProvenance({ report: version, observationIds, previousAreaId, recordedAt: this.clock.now() });
    await this.withdrawVanished(transaction, before?.resource, report);
    if (before === null) {
      // With the patient locked nobody else makes them.
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
