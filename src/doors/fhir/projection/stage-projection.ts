import type { BodyStructure, Condition, ConditionStage, Observation } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { STAGE_SYSTEMS, type StageSystem } from '../../../core/analysis/wound-stage.js';
import type { Wound } from '../../../core/followup/wound.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportRepository, type StageInSeries } from '../../../core/report/report.repository.js';
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
 * the Observation that states it. What clients wrote as Conditions stays as they wrote it.
 */
@Injectable()
export class StageProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly settings: Settings,
  ) {}

  /** Where a stage is known, or was: of wounds without one nothing is made. */
  async project(transaction: TenantTransaction, woundId: string): Promise<void> {
    const wound = await this.wounds.find(transaction, woundId);
    if (wound === null || wound.patientId === null) return;
    const root = wound.mergedInto === null ? wound : await this.wounds.rootOf(transaction, woundId);
    // What was joined into another wound is shown with that.
    if (root.id !== woundId) await this.withdraw(transaction, woundId);
    const stages = newestOfEach(await this.reports.stages(transaction, root.id));
    if (stages.length === 0) return this.withdraw(transaction, root.id);
    // As its sender says there where the wound is and of which kind.
    const site = await this.resources.find<BodyStructure>(transaction, 'BodyStructure', root.id);
    if (site === null) return;
    const told = await Promise.all(stages.map((stage) => this.toStage(transaction, stage)));
    await this.resources.put<Condition>(transaction, this.toCondition(root, site.resource, stages[0]!, told));
  }

  /** As `project`, where a Condition is there. */
  async refresh(transaction: TenantTransaction, woundId: string): Promise<void> {
    const shown = await this.resources.find<Condition>(transaction, 'Condition', stageConditionId(woundId));
    if (shown !== null) await this.project(transaction, woundId);
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
    { stage: { statedBy } }: StageInSeries,
    stage: ConditionStage[],
  ): Condition {
    const { snomed } = this.settings.fhir;
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
      ...(statedBy === undefined ? {} : { asserter: { display: statedBy } }),
      stage,
    };
  }

  /** With the Observation that states it, once that is shown. */
  private async toStage(
    transaction: TenantTransaction,
    { reportId, stage, statedAt, capturedAt }: StageInSeries,
  ): Promise<ConditionStage> {
    const code = stageCodeOf(stage);
    const id = observationId(reportId, 'stated-stage');
    const shown = await this.resources.find<Observation>(transaction, 'Observation', id);
    return {
      extension: [{ url: STAGE_STATED_AT, valueDateTime: statedAt ?? capturedAt.toISOString() }],
      summary: { ...only(code), text: code.display },
      ...(shown === null ? {} : { assessment: [{ reference: `Observation/${id}` }] }),
      type: { text: CLASSIFICATION[stage.system] },
    };
  }
}

/** Of a wound. */
export function stageConditionId(woundId: string): string {
  return `${woundId}-stage`;
}

/** The newest first. */
function newestOfEach(stages: readonly StageInSeries[]): StageInSeries[] {
  const newest = STAGE_SYSTEMS.flatMap((system) => stages.findLast(({ stage }) => stage.system === system) ?? []);
  return newest.sort((one, other) => other.capturedAt.getTime() - one.capturedAt.getTime());
}
