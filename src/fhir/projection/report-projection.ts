import { Injectable } from '@nestjs/common';
import type { DiagnosticReport, Media, Observation, ServiceRequest, Task } from '@medplum/fhirtypes';
import type { ModelUsed } from '../../core/analysis/wound-result.js';
import { Clock } from '../../core/ports/clock.js';
import { ReportRepository } from '../../core/ports/report.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { WoundRepository } from '../../core/ports/wound.repository.js';
import type { ClinicalReport, ReportReading } from '../../core/report/clinical-report.js';
import { ReportReader } from '../../core/report/report-reading.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { Settings } from '../../platform/config/settings.js';
import { deviceId, observationId, toReportResources, type RenderingContext } from '../../reports/index.js';
import type { StoredResource } from '../store/resource-store.js';
import { OrderProjection } from './order-projection.js';
import { PhotoProjection } from './photo-projection.js';
import { toProvenance } from './provenance.js';
import { reportDocument } from './report-document.js';
import { ServiceResources } from './service-resources.js';
import { SubjectProjection } from './subject-projection.js';
import { orderOf, TaskProjection } from './task-projection.js';
import { toDevice } from './shells.js';

/** A report whose patient is known. */
interface Faced {
  readonly reportId: string;
  readonly patientId: string;
}

/** What the versions of one report have in common. */
interface Face extends Faced {
  readonly tenant: Tenant;
  readonly context: RenderingContext;
  readonly sequence: number | null;
  /** The report that this one took the place of, where that has a face too. */
  readonly replaces: string | null;
}

/**
 * Writes reports as FHIR: DiagnosticReport, Observations, Provenance, and what they refer to. Each version of a report becomes exactly one
 * version of its DiagnosticReport, in their order, so that both have the same number and one ETag means both.
 */
@Injectable()
export class ReportProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly subjects: SubjectProjection,
    private readonly photos: PhotoProjection,
    private readonly tasks: TaskProjection,
    private readonly orders: OrderProjection,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly reader: ReportReader,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings the resources of these reports up to the present versions, in the caller's transaction. A repeat changes nothing. Answers the
   * DiagnosticReports in the order asked; null for a report of nobody: it has no face in FHIR until a person says whose it is.
   */
  async project(
    transaction: TenantTransaction,
    reportIds: readonly string[],
  ): Promise<(StoredResource<DiagnosticReport> | null)[]> {
    const patients = new Map<string, string>();
    for (const id of reportIds) {
      const patientId = await this.patientOf(transaction, id);
      if (patientId !== null) patients.set(id, patientId);
    }
    // Always in the same order, so that two that move reports between the same patients do not wait for each other.
    for (const patientId of [...new Set(patients.values())].sort())
      await this.resources.lockPatient(transaction, patientId);
    const projected: (StoredResource<DiagnosticReport> | null)[] = [];
    for (const reportId of reportIds) {
      const patientId = patients.get(reportId);
      projected.push(patientId === undefined ? null : await this.projectOne(transaction, { reportId, patientId }));
    }
    return projected;
  }

  private async patientOf(transaction: TenantTransaction, reportId: string): Promise<string | null> {
    const current = await this.reports.find(transaction, reportId);
    const wound = current === null ? null : await this.wounds.find(transaction, current.woundId);
    return wound?.patientId ?? null;
  }

  private async projectOne(
    transaction: TenantTransaction,
    faced: Faced,
  ): Promise<StoredResource<DiagnosticReport> | null> {
    const stored = await this.resources.findForUpdate<DiagnosticReport>(
      transaction,
      'DiagnosticReport',
      faced.reportId,
    );
    // Read after the lock: who held it before may have written a version meanwhile.
    const reading = await this.reader.readIn(transaction, faced.reportId);
    const written = stored?.version ?? 0;
    if (reading === null || reading.report.version <= written) return stored;
    const { report } = reading;
    const missing =
      written === report.version - 1
        ? [report]
        : (await this.reports.versions(transaction, report.id)).filter(({ version }) => version > written);
    const face = await this.faceOf(transaction, faced, reading);
    let latest = stored;
    for (const version of missing) latest = await this.writeVersion(transaction, face, version, latest);
    await this.tasks.reportReady(transaction, report, faced.patientId);
    if (report.status !== 'preliminary' && report.status !== 'entered-in-error')
      await this.orders.reportIssued(transaction, report.jobId);
    return latest;
  }

  /** Everything that the report refers to is there before it. */
  private async faceOf(
    transaction: TenantTransaction,
    { reportId, patientId }: Faced,
    { report, sequence }: ReportReading,
  ): Promise<Face> {
    const { tenant } = transaction;
    await this.subjects.ensurePatient(transaction, patientId);
    await this.subjects.ensureWound(transaction, report.content.subject.woundRef, patientId);
    const media = await this.photos.showAssessed(transaction, report, patientId);
    await this.ensureDevices(transaction, report);
    const job = await this.resources.find<Task>(transaction, 'Task', report.jobId);
    const order = await this.orderFor(transaction, job?.resource, patientId);
    const replaced = report.replaces === null ? null : await this.patientOf(transaction, report.replaces);
    return {
      tenant,
      reportId,
      patientId,
      sequence: sequence ?? (await this.formerPlace(transaction, report)),
      replaces: replaced === null ? null : report.replaces,
      context: this.contextOf(tenant, patientId, order, media),
    };
  }

  private contextOf(
    { organizationId }: Tenant,
    patientId: string,
    order: ServiceRequest | null,
    media: Media,
  ): RenderingContext {
    const { snomed, style } = this.settings.fhir;
    const patient = `Patient/${patientId}`;
    return {
      patient,
      performer: `Organization/${organizationId}`,
      encounter:
        order?.encounter?.reference ??
        (media.subject?.reference === patient ? (media.encounter?.reference ?? null) : null),
      order: order === null ? null : orderOf(order),
      snomed,
      style,
      document: null,
      mediaOf: (imageId) => `Media/${imageId}`,
    };
  }

  private async writeVersion(
    transaction: TenantTransaction,
    face: Face,
    version: ClinicalReport,
    before: StoredResource<DiagnosticReport> | null,
  ): Promise<StoredResource<DiagnosticReport>> {
    const { sequence, replaces } = face;
    const withdrawn = version.status === 'entered-in-error';
    const reading: ReportReading = {
      report: { ...version, replaces },
      sequence: withdrawn ? null : sequence,
      presentVersion: version.version,
      trend: [],
    };
    const { report, observations } = toReportResources(reading, { ...face.context, document: reportDocument(version) });
    for (const observation of observations) await this.resources.put<Observation>(transaction, observation);
    await this.withdrawVanished(transaction, before?.resource, report);
    const latest = await this.resources.write<DiagnosticReport>(transaction, before, report);
    const observationIds = observations.map(({ id }) => id!);
    const { previous, sincePrevious } = version.content.comparison;
    const previousAreaId =
      previous === null || sincePrevious === null
        ? null
        : observationId(previous.reportId, face.context.style === 'discrete' ? 'area' : 'size');
    await this.resources.put(
      transaction,
      toProvenance({ report: version, observationIds, previousAreaId, recordedAt: this.clock.now() }),
    );
    return latest;
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

  private async ensureDevices(transaction: TenantTransaction, { content }: ClinicalReport): Promise<void> {
    const outliner = content.findings.model;
    const listed: (Pick<ModelUsed, 'name' | 'version'> & { readonly sha256: string | null })[] = [...content.models];
    if (!listed.some(({ name, version }) => `${name}/${version}` === outliner)) {
      const [name = outliner, version = '0'] = outliner.split('/');
      listed.push({ name, version, sha256: null });
    }
    for (const model of listed)
      await this.resources.ensure(transaction, 'Device', deviceId(`${model.name}/${model.version}`), () =>
        toDevice(model, this.settings.fhir.snomed),
      );
  }

  /** The order of the photo's job, where it is one for this patient: a photo of the wrong patient had another's. */
  private async orderFor(
    transaction: TenantTransaction,
    task: Task | undefined,
    patientId: string,
  ): Promise<ServiceRequest | null> {
    const reference = task?.basedOn?.[0]?.reference;
    if (reference?.startsWith('ServiceRequest/') !== true) return null;
    const order = await this.resources.find<ServiceRequest>(
      transaction,
      'ServiceRequest',
      reference.slice('ServiceRequest/'.length),
    );
    return order?.resource.subject?.reference === `Patient/${patientId}` ? order.resource : null;
  }

  /** The place that a withdrawn report had among those that still stand. */
  private async formerPlace(
    transaction: TenantTransaction,
    { id, content: { subject, capturedAt } }: ClinicalReport,
  ): Promise<number> {
    const series = await this.reports.figures(transaction, subject.woundRef);
    return (
      1 +
      series.filter(
        (other) => other.content.capturedAt < capturedAt || (other.content.capturedAt === capturedAt && other.id < id),
      ).length
    );
  }
}
