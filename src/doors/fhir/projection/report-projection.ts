import { Injectable } from '@nestjs/common';
import type { DiagnosticReport } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { ReportContexts, type ShownReport } from './report-contexts.js';
import { ReportFollower } from './report-follower.js';
import { ReportVersions } from './report-versions.js';
import { ServiceResources } from './service-resources.js';

/**
 * Writes reports as FHIR: DiagnosticReport, Observations, Provenance, and what they refer to. Each version of a report becomes exactly one
 * version of its DiagnosticReport, in their order, so that both have the same number and one ETag means both.
 */
@Injectable()
export class ReportProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly contexts: ReportContexts,
    private readonly versions: ReportVersions,
    private readonly follower: ReportFollower,
    private readonly reader: ReportReader,
  ) {}

  /**
   * Brings the resources of these reports up to the present versions, in the caller's transaction. A repeat changes nothing. Answers the
   * DiagnosticReports in the order asked; null for one without a patient, unless its Task leads to it.
   */
  async project(
    transaction: TenantTransaction,
    reportIds: readonly string[],
  ): Promise<(StoredResource<DiagnosticReport> | null)[]> {
    const assigned = new Map<string, ShownReport>();
    for (const id of reportIds) {
      const report = await this.contexts.find(transaction, id);
      if (report !== null) assigned.set(id, report);
    }
    // Always in the same order, so that two projections that move reports between the same patients do not wait for each other.
    const turns = [...assigned.values()].map(({ id, patientId }) => patientId ?? id);
    for (const turn of [...new Set(turns)].sort()) await this.resources.lockPatient(transaction, turn);
    const projected: (StoredResource<DiagnosticReport> | null)[] = [];
    for (const reportId of reportIds) {
      const report = assigned.get(reportId);
      projected.push(report === undefined ? null : await this.projectOne(transaction, report));
    }
    return projected;
  }

  private async projectOne(
    transaction: TenantTransaction,
    assigned: ShownReport,
  ): Promise<StoredResource<DiagnosticReport> | null> {
    const { id, patientId } = assigned;
    const around = await this.contexts.findAround(transaction, assigned);
    const stored = around.of<DiagnosticReport>('DiagnosticReport', id);
    // Read after the lock: its last holder may have written a version meanwhile.
    const reading = await this.reader.readInSeries(transaction, id);
    if (reading === null || reading.report.version <= (stored?.version ?? 0)) return stored;
    const { report } = reading;
    const context = await this.contexts.prepare(transaction, patientId, reading, around);
    const latest = await this.versions.writeMissing(transaction, reading, context, stored);
    await this.follower.follow(transaction, report, context, around, stored);
    return latest;
  }
}
