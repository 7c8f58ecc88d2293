import type { BodyStructure, Condition, ConditionStage, Observation } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { StageSystem } from '../../../core/analysis/wound-stage.js';
import type { Wound } from '../../../core/followup/wound.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import { newestOfEach, type StatedStage } from '../../../core/report/stated-stage.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { Settings } from '../../../platform/config/settings.js';
import {
  BODY_SITE,
  CLINICIAN_CODES,
  observationId,
  only,
  profileUrl,
  STAGE_STATED_AT,
  stageCodeOf,
  toConcept,
} from '../../../reports/index.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { ClientStages } from './client-stages.js';
import { ServiceResources } from './service-resources.js';

const VERIFICATION = 'http://terminology.hl7.org/CodeSystem/condition-ver-status';
const CLINICAL = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
const CLASSIFICATION: Readonly<Record<StageSystem, string>> = {
  pressure: 'Pressure injury, NPIAP 2016',
  wagner: 'Wagner',
  texas: 'University of Texas',
};

/**
 * The last stages that people stated of a wound, through whichever door, as one Condition of the service's own: of each classification the newest, with
 * the Observation that states it. What clients wrote as Conditions stays as they wrote it; where one of them is newer than the reports, the stage is its.
 */
@Injectable()
export class StageProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly settings: Settings,
    private readonly clients: ClientStages,
    private readonly zones: OrganizationZone,
  ) {}

  /** Where reports have a stage, or had one: of other wounds nothing is made. */
  async project(transaction: TenantTransaction, woundId: string): Promise<void> {
    await this.lock(transaction, woundId);
    const known = await this.wounds.find(transaction, woundId);
    if (known === null || known.patientId === null) return;
    const { id: rootId } = await this.wounds.rootOf(transaction, woundId);
    // What was joined into another wound is shown with that.
    if (rootId !== woundId) await this.withdraw(transaction, woundId);
    // Reports and the standing of the wound are read under its lock: who read them earlier does not write over who read them later.
    if (rootId !== woundId) await this.lock(transaction, rootId);
    const root = (await this.wounds.find(transaction, rootId))!;
    const stages = await this.newest(transaction, rootId);
    if (stages.length === 0) return this.withdraw(transaction, root.id);
    // As its sender says there where the wound is and of which kind.
    const site = await this.resources.find<BodyStructure>(transaction, 'BodyStructure', root.id);
    if (site === null) return;
    const told = await Promise.all(stages.map((stage) => this.toStage(transaction, stage)));
    await this.resources.put<Condition>(transaction, this.toCondition(root, site.resource, stages, told));
  }

  /** As `project`, unless this report changes nothing of what is shown: of a series that is computed anew most have an older stage. */
  async follow(transaction: TenantTransaction, woundId: string, report: ClinicalReport): Promise<void> {
    const { id: rootId } = await this.wounds.rootOf(transaction, woundId);
    if (rootId !== woundId) return this.project(transaction, woundId);
    await this.lock(transaction, woundId);
    const shown = await this.resources.find<Condition>(transaction, 'Condition', stageConditionId(woundId));
    if (shown !== null && isPast(shown.resource, report, await this.zones.of(transaction))) return;
    await this.project(transaction, woundId);
  }

  /** As `project`, where a Condition is there; one that is being made is waited for. */
  async refresh(transaction: TenantTransaction, woundId: string): Promise<void> {
    if ((await this.wounds.find(transaction, woundId)) === null) return;
    const { id: rootId } = await this.wounds.rootOf(transaction, woundId);
    await this.lock(transaction, rootId);
    const shown = await this.resources.find<Condition>(transaction, 'Condition', stageConditionId(rootId));
    if (shown !== null) await this.project(transaction, rootId);
  }

  /** Always of a wound before the one that it was joined into. */
  private lock(transaction: TenantTransaction, woundId: string): Promise<void> {
    return this.resources.lockShown(transaction, 'Condition', stageConditionId(woundId));
  }

  /** None where no report has one: a client's Condition then stands alone. */
  private async newest(transaction: TenantTransaction, rootId: string): Promise<StatedStage[]> {
    const reported = await this.reports.stages(transaction, rootId);
    if (reported.length === 0) return [];
    const ofReports = reported.flatMap(({ reportId, stage, statedAt, capturedAt }) => {
      const stated = ClinicalTime.read(statedAt) ?? ClinicalTime.read(capturedAt.toISOString());
      return stated === null ? [] : [{ reportId, stage, stated }];
    });
    const ofClients = await this.clients.ofWound(transaction, rootId);
    return newestOfEach([...ofReports, ...ofClients], await this.zones.of(transaction));
  }

  private async withdraw(transaction: TenantTransaction, woundId: string): Promise<void> {
    const shown = await this.resources.findForUpdate<Condition>(transaction, 'Condition', stageConditionId(woundId));
    if (shown === null) return;
    const { clinicalStatus: _ended, ...rest } = shown.resource;
    const withdrawn = { coding: [{ system: VERIFICATION, code: 'entered-in-error' }] };
    await this.resources.put<Condition>(transaction, { ...rest, verificationStatus: withdrawn });
  }

  private toCondition(
    wound: Wound,
    site: BodyStructure,
    stages: readonly StatedStage[],
    stage: ConditionStage[],
  ): Condition {
    const { snomed } = this.settings.fhir;
    // It stands over all classifications, each of which its Observation tells the person of.
    const [statedBy, ...others] = new Set(stages.map((one) => one.stage.statedBy));
    const where = site.location ?? toConcept({ snomed }, wound.bodySite, wound.laterality);
    return {
      resourceType: 'Condition',
      id: stageConditionId(wound.id),
      meta: { profile: [profileUrl('sutura-wound-stage')] },
      extension: [{ url: BODY_SITE, valueReference: { reference: `BodyStructure/${wound.id}` } }],
      clinicalStatus: { coding: [{ system: CLINICAL, code: wound.status === 'closed' ? 'inactive' : 'active' }] },
      category: [only(CLINICIAN_CODES.stage)],
      code: site.morphology ?? toConcept({ snomed }, wound.woundType) ?? { text: 'Wound' },
      ...(where === undefined ? {} : { bodySite: [where] }),
      subject: { reference: `Patient/${wound.patientId!}` },
      ...(statedBy === undefined || others.length > 0 ? {} : { asserter: { display: statedBy } }),
      stage,
    };
  }

  /** With the Observation that states it, once that is shown. */
  private async toStage(
    transaction: TenantTransaction,
    { reportId, stage, stated }: StatedStage,
  ): Promise<ConditionStage> {
    const code = stageCodeOf(stage);
    const id = reportId === null ? null : observationId(reportId, 'stated-stage');
    const shown = id === null ? null : await this.resources.find<Observation>(transaction, 'Observation', id);
    return {
      extension: [{ url: STAGE_STATED_AT, valueDateTime: stated.text }],
      summary: { ...only(code), text: code.display },
      ...(shown === null ? {} : { assessment: [{ reference: `Observation/${id!}` }] }),
      type: { text: CLASSIFICATION[stage.system] },
    };
  }
}

/** Of a wound. */
export function stageConditionId(woundId: string): string {
  return `${woundId}-stage`;
}

/** Whether it is shown without this report, with a stage of a later day in its classification. */
function isPast({ clinicalStatus, stage = [] }: Condition, { id, content }: ClinicalReport, timeZone: string): boolean {
  const own = `Observation/${observationId(id, 'stated-stage')}`;
  const isShown = stage.some(({ assessment = [] }) => assessment.some(({ reference }) => reference === own));
  // Withdrawn.
  if (isShown || clinicalStatus === undefined) return false;
  const { stage: stated, statedAt } = content.clinicianObservations ?? {};
  if (stated === undefined) return true;
  const same = stage.find(({ type }) => type?.text === CLASSIFICATION[stated.system]);
  const shownAt = same?.extension?.find(({ url }) => url === STAGE_STATED_AT)?.valueDateTime;
  const [time, shown] = [stated.statedAt ?? statedAt?.stage ?? content.capturedAt, shownAt].map((text) =>
    ClinicalTime.read(text),
  ) as [ClinicalTime | null, ClinicalTime | null];
  if (time === null || shown === null || time.dayIn(timeZone) === shown.dayIn(timeZone)) return false;
  return time.spanIn(timeZone).low < shown.spanIn(timeZone).low;
}
