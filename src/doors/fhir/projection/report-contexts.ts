import { Injectable } from '@nestjs/common';
import type { Media, ServiceRequest, Task } from '@medplum/fhirtypes';
import type { SeriesFindings } from '../../../core/followup/assessment.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { ClinicalReport, ReportContent } from '../../../core/report/clinical-report.js';
import type { SeriesReading } from '../../../core/report/report-reader.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { Settings } from '../../../platform/config/settings.js';
import { assessmentBefore, type RenderingContext } from '../../../reports/index.js';
import { dateInterval } from '../../../core/times/date-interval.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { targetOf } from '../interactions/reference-walk.js';
import type { PhotoOfReport } from './finding-sources.js';
import { NamedResources } from './named-resources.js';
import { ServiceResources, type FoundResources, type ServiceChange } from './service-resources.js';
import { orderOf } from './task-projection.js';

/** A report that has a face in FHIR, as it was before anything was locked. */
export interface ShownReport {
  readonly id: string;
  readonly jobId: string;
  readonly imageId: string;
  readonly woundRef: string;
  /** null: its job was asked for over FHIR without a patient, and its Task leads to it. */
  readonly patientId: string | null;
}

/** Facts that the versions of one report share. */
export interface ReportContext {
  readonly patientId: string | null;
  readonly rendering: RenderingContext;
  /** As clinicians' findings for it are looked for. */
  readonly photo: PhotoOfReport;
  readonly sequence: number | null;
  readonly series: SeriesReading['series'];
  /** Still to be written. */
  readonly changes: readonly ServiceChange[];
  /** The report that this one replaced, where that one is shown too. */
  readonly replaces: string | null;
}

/** What a report was asked for and made from. */
interface Surroundings {
  readonly order: ServiceRequest | null;
  readonly media: Media;
  readonly content: ReportContent;
  /** Of the organization; IANA. */
  readonly timeZone: string;
}

/** The resources around a report: its patient, wound, photo, devices and order. */
@Injectable()
export class ReportContexts {
  constructor(
    private readonly resources: ServiceResources,
    private readonly named: NamedResources,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly settings: Settings,
    private readonly zones: OrganizationZone,
  ) {}

  /** The report and the patient of its wound; null for one that nobody would find: it has no patient, and no Task. */
  async find(transaction: TenantTransaction, reportId: string): Promise<ShownReport | null> {
    const current = await this.reports.find(transaction, reportId);
    const wound = current === null ? null : await this.wounds.find(transaction, current.woundId);
    if (current === null || wound === null) return null;
    const { jobId, imageId, content } = current.report;
    if (wound.patientId === null && (await this.resources.find<Task>(transaction, 'Task', jobId)) === null) return null;
    return { id: reportId, jobId, imageId, woundRef: content.subject.woundRef, patientId: wound.patientId };
  }

  /**
   * Its own resources, and those that it refers to. Nobody else writes its DiagnosticReport, photo and Task until the transaction ends.
   */
  findAround(transaction: TenantTransaction, report: ShownReport): Promise<FoundResources> {
    const { id, jobId, imageId, woundRef, patientId } = report;
    return this.resources.findTogether(transaction, {
      locked: [
        { type: 'DiagnosticReport', id },
        { type: 'Media', id: imageId },
        { type: 'Task', id: jobId },
      ],
      read:
        patientId === null
          ? []
          : [
              { type: 'Patient', id: patientId },
              { type: 'BodyStructure', id: woundRef },
            ],
    });
  }

  /** Writes what the report refers to and is not there yet; changes to what is there are left to the caller. */
  async prepare(
    transaction: TenantTransaction,
    patientId: string | null,
    { report, sequence, series }: SeriesReading,
    found: FoundResources,
  ): Promise<ReportContext> {
    const { media, change } = await this.named.ensure(transaction, report, patientId, found);
    const order = await this.orderFor(transaction, found.of<Task>('Task', report.jobId)?.resource, patientId);
    const replaced = report.replaces === null ? null : await this.find(transaction, report.replaces);
    return {
      patientId,
      photo: { media, patientId, woundId: report.content.subject.woundRef },
      series,
      changes: change === null ? [] : [change],
      sequence: sequence ?? (await this.formerPlace(transaction, report)),
      replaces: replaced === null ? null : report.replaces,
      rendering: this.renderingOf(transaction.tenant, patientId, {
        order,
        media,
        content: report.content,
        timeZone: await this.zones.of(transaction),
      }),
    };
  }

  /** The present findings of the previous assessment; null: none. */
  async findingsBefore(
    transaction: TenantTransaction,
    version: ClinicalReport,
    { series }: ReportContext,
  ): Promise<SeriesFindings | null> {
    const before = assessmentBefore(version);
    if (before === null) return null;
    const standing = series.find(({ id }) => id === before.reportId);
    // Withdrawn meanwhile, or of a wound that this one was part of.
    const found = standing ?? (await this.reports.find(transaction, before.reportId))?.report;
    return found?.content.findings ?? null;
  }

  private renderingOf(
    { organizationId }: Tenant,
    patientId: string | null,
    { order, media, content, timeZone }: Surroundings,
  ): RenderingContext {
    const { snomed, style } = this.settings.fhir;
    const patient = patientId === null ? null : `Patient/${patientId}`;
    return {
      patient,
      performer: `Organization/${organizationId}`,
      encounter:
        order?.encounter?.reference ??
        (media.subject?.reference === (patient ?? undefined) ? (media.encounter?.reference ?? null) : null),
      order: order === null ? null : orderOf(order),
      snomed,
      style,
      document: null,
      findingsBefore: null,
      timeZone,
      ...takenAsWritten(media, content),
      mediaOf: (imageId) => `Media/${imageId}`,
    };
  }

  /** The order of the photo's job, where it is one for this patient: a photo of the wrong patient had another's. */
  private async orderFor(
    transaction: TenantTransaction,
    task: Task | undefined,
    patientId: string | null,
  ): Promise<ServiceRequest | null> {
    const reference = task?.basedOn?.[0]?.reference;
    if (reference?.startsWith('ServiceRequest/') !== true) return null;
    const order = await this.resources.find<ServiceRequest>(
      transaction,
      'ServiceRequest',
      reference.slice('ServiceRequest/'.length),
    );
    const subject = targetOf(order?.resource.subject?.reference ?? '');
    const ordered = subject?.type === 'Patient' ? subject.id : null;
    return ordered === patientId ? (order?.resource ?? null) : null;
  }

  /** The place that a withdrawn report had among those that still stand. */
  private async formerPlace(
    transaction: TenantTransaction,
    { id, content: { subject, capturedAt } }: ClinicalReport,
  ): Promise<number> {
    const series = await this.reports.figures(transaction, subject.woundRef);
    const before = series.filter(
      (other) => other.content.capturedAt < capturedAt || (other.content.capturedAt === capturedAt && other.id < id),
    );
    return 1 + new Set(before.map(({ imageId }) => imageId)).size;
  }
}

/** The photo's time in its sender's own words: the 10th at 00:30+01:00 stays the 10th. Older releases left them with the photo alone. */
function takenAsWritten(
  media: Media,
  { capturedAt, capturedAsStated }: ReportContent,
): Pick<RenderingContext, 'takenAt'> {
  if (capturedAsStated !== undefined) return { takenAt: capturedAsStated };
  const written = media.createdDateTime ?? media.createdPeriod?.start;
  const moment = written === undefined ? undefined : dateInterval(written)?.low;
  return moment?.getTime() === Date.parse(capturedAt) ? { takenAt: written! } : {};
}
