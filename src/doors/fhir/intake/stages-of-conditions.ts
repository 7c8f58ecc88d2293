import type { Condition, Observation } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { WoundStage } from '../../../core/analysis/wound-stage.js';
import { REMEMBERED_DAYS } from '../../../core/followup/remembered.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportRepository, type StageInSeries } from '../../../core/report/report.repository.js';
import type { StatedStage } from '../../../core/report/stated-stage.js';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { CLINICIAN_CODES } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ClientStages } from '../projection/client-stages.js';
import { ResourceSearch } from '../search/resource-search.js';
import { findingOf } from './clinician-codes.js';
import { timeOf, type PhotoMoment } from './merged-findings.js';
import { asFinding, isSameStage } from './wound-condition.js';

/** Observations of one wound's stage, within four weeks. */
const LIMIT = 500;
/** Of one patient, of every kind: the oldest come first, so that one too few would leave out the stage of today. */
const MOST_CONDITIONS = 20_000;
const DAY_MS = 86_400_000;

/**
 * Stages of wounds as clients' Conditions state them. Unlike an Observation, a Condition says how the wound is, and not what was seen at a visit: it
 * holds for the photos of the next four weeks as well, until anybody has stated the stage since, through whichever door.
 */
@Injectable()
export class StagesOfConditions extends ClientStages {
  /** By transaction and patient: several photos of one wound ask for the same. */
  private readonly known = new WeakMap<TenantTransaction, Map<string, readonly Observation[]>>();

  constructor(
    private readonly searching: ResourceSearch,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
  ) {
    super();
  }

  /** The wound, those that were joined into it, and the one that it was joined into with all of that: they are one. */
  async familyOf(transaction: TenantTransaction, woundId: string): Promise<readonly string[]> {
    if ((await this.wounds.find(transaction, woundId)) === null) return [];
    const root = await this.wounds.rootOf(transaction, woundId);
    const all = root.patientId === null ? [] : await this.wounds.ofPatient(transaction, root.patientId);
    const family = new Set([root.id, woundId]);
    for (let before = 0; before < family.size;) {
      before = family.size;
      for (const { id, mergedInto } of all) if (mergedInto !== null && family.has(mergedInto)) family.add(id);
    }
    return [...family];
  }

  async ofWound(transaction: TenantTransaction, rootWoundId: string): Promise<readonly StatedStage[]> {
    const patientId = (await this.wounds.find(transaction, rootWoundId))?.patientId ?? null;
    if (patientId === null) return [];
    const { organizationId, environment } = transaction.tenant;
    const caller = { organizationId, environment, keyId: '', scopes: SCOPES };
    const all = await this.read({ transaction, caller, base: '', requestId: '' }, patientId);
    const found = await this.ofFamily(transaction, all, rootWoundId);
    return found.flatMap((finding) => {
      const [stage, stated] = [stageOf(finding), timeOf(finding)];
      return stage === null || stated === null ? [] : [{ stage, stated, reportId: null }];
    });
  }

  /** Each as the finding that it is: of the wound, and of all that is one with it. */
  async of(call: FhirCall, patientId: string, woundId: string): Promise<Observation[]> {
    const known = this.known.get(call.transaction) ?? new Map<string, readonly Observation[]>();
    this.known.set(call.transaction, known);
    const all = known.get(patientId) ?? (await this.read(call, patientId));
    known.set(patientId, all);
    return this.ofFamily(call.transaction, all, woundId);
  }

  /** What `of` read in this transaction is so no longer. */
  forget(transaction: TenantTransaction): void {
    this.known.delete(transaction);
  }

  private async read(call: FhirCall, patientId: string): Promise<readonly Observation[]> {
    const found = await this.searching.match(call, 'Condition', `patient=Patient/${patientId}`, MOST_CONDITIONS);
    return found
      .filter(({ createdBy }) => createdBy.kind === 'client')
      .flatMap(({ resource }) => asFinding(resource as Condition) ?? []);
  }

  private async ofFamily(
    transaction: TenantTransaction,
    all: readonly Observation[],
    woundId: string,
  ): Promise<Observation[]> {
    if (all.length === 0) return [];
    const family = new Set((await this.familyOf(transaction, woundId)).map((id) => `BodyStructure/${id}`));
    return all.filter(({ focus }) => family.has(focus?.[0]?.reference ?? ''));
  }

  /** Of these the newest that still holds at the moment of a photo, where no other photo of the wound has a newer stage; null: none. */
  async standing(
    call: FhirCall,
    imageId: string,
    woundId: string,
    stated: readonly Observation[],
    { takenAt, timeZone }: PhotoMoment,
  ): Promise<Observation | null> {
    const taken = takenAt.spanIn(timeZone);
    const msOf = (finding: Observation) => timeOf(finding)!.spanIn(timeZone).low.getTime();
    const standing = stated
      .filter((finding) => {
        const before = taken.low.getTime() - msOf(finding);
        return msOf(finding) < taken.high.getTime() && before <= REMEMBERED_DAYS * DAY_MS;
      })
      .sort((one, other) => msOf(one) - msOf(other))
      .at(-1);
    const stage = standing === undefined ? null : stageOf(standing);
    if (standing === undefined || stage === null) return null;
    const since = new Date(msOf(standing));
    if (await this.isObservedSince(call, woundId, since, taken.high)) return null;
    const root = await this.wounds.rootOf(call.transaction, woundId);
    const known = await this.reports.stages(call.transaction, root.id);
    const before = known.filter((one) => one.capturedAt < taken.high && one.imageId !== imageId);
    return before.some((one) => isNewer(one, stage, since.getTime(), timeZone)) ? null : standing;
  }

  /** Whether an Observation of the wound says another stage since, though of no photo. */
  private async isObservedSince(call: FhirCall, woundId: string, since: Date, until: Date): Promise<boolean> {
    const { system, code } = CLINICIAN_CODES.stage;
    const family = await this.familyOf(call.transaction, woundId);
    const focus = family.map((id) => `BodyStructure/${id}`).join(',');
    const criteria = new URLSearchParams({ focus, code: `${system}|${code}` });
    criteria.append('date', `ge${since.toISOString()}`);
    criteria.append('date', `le${until.toISOString()}`);
    const found = await this.searching.match(call, 'Observation', criteria.toString(), LIMIT);
    return found.some(
      ({ createdBy, resource }) => createdBy.kind === 'client' && stageOf(resource as Observation) !== null,
    );
  }
}

function stageOf(finding: Observation): WoundStage | null {
  const stated = findingOf(finding);
  return stated === null || stated === 'bad' ? null : (stated.observations?.stage ?? null);
}

/** Stated since; or the same of about the same day, which a report has said already. */
function isNewer(
  { capturedAt, statedAt, stage: known }: StageInSeries,
  stage: WoundStage,
  sinceMs: number,
  timeZone: string,
): boolean {
  const knownMs = (ClinicalTime.read(statedAt)?.spanIn(timeZone).low ?? capturedAt).getTime();
  return knownMs > sinceMs || (isSameStage(known, stage) && knownMs >= sinceMs - DAY_MS);
}
