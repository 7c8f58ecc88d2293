import { Injectable } from '@nestjs/common';
import type { DiagnosticReport } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { profileUrl } from '../../../reports/index.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { OrderProjection } from './order-projection.js';
import type { ReportContext } from './report-contexts.js';
import { ServiceResources, type FoundResources } from './service-resources.js';
import { StageProjection } from './stage-projection.js';
import { TaskProjection } from './task-projection.js';

/** What follows from a report that was written: its Task and order, and the stage of its wound. */
@Injectable()
export class ReportFollower {
  constructor(
    private readonly resources: ServiceResources,
    private readonly tasks: TaskProjection,
    private readonly orders: OrderProjection,
    private readonly stages: StageProjection,
  ) {}

  /** `before`: its DiagnosticReport before this version. */
  async follow(
    transaction: TenantTransaction,
    report: ClinicalReport,
    { patientId, changes }: ReportContext,
    around: FoundResources,
    before: StoredResource<DiagnosticReport> | null,
  ): Promise<void> {
    const task = await this.tasks.reportReady(transaction, report, patientId, around.of('Task', report.jobId));
    await this.resources.changeAll(transaction, [...changes, ...task]);
    for (const woundId of woundsStaged(report, before)) await this.stages.follow(transaction, woundId, report);
    if (report.status !== 'preliminary' && report.status !== 'entered-in-error')
      await this.orders.reportIssued(transaction, report.jobId);
  }
}

/** The wounds of which the report states a stage, or did in the version before. */
function woundsStaged(
  { content }: ClinicalReport,
  before: StoredResource<DiagnosticReport> | null,
): ReadonlySet<string> {
  const stated = content.clinicianObservations?.stage === undefined ? [] : [content.subject.woundRef];
  const { result = [], extension = [] } = before?.resource ?? {};
  if (!result.some(({ reference }) => reference?.endsWith('-stated-stage') === true)) return new Set(stated);
  const wound = extension.find(({ url }) => url === profileUrl('wound'))?.valueReference?.reference;
  return new Set([...stated, ...(wound === undefined ? [] : [wound.slice('BodyStructure/'.length)])]);
}
