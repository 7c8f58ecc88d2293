import type { Condition } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { stageOf, type SentConcept } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceIntake } from '../interactions/resource-intake.js';
import { ClinicalFindings } from './clinical-findings.js';
import { StageProjection } from '../projection/stage-projection.js';
import { OrderMatching } from './order-matching.js';
import { refuseFuture } from './photo-times.js';
import { StagesOfConditions } from './stages-of-conditions.js';
import {
  asFinding,
  isAsserted,
  isSameStage,
  keptStage,
  stagedCondition,
  withStatedAt,
  woundsOfCondition,
} from './wound-condition.js';

const LATE =
  'A photo of that time or of the four weeks after it was analysed with what was noted before. Its report does not follow this stage: the next photo of the wound within four weeks states it, unless another stage was stated since.';
const NO_WOUND =
  'The Condition is kept. Its stage enters no report: name the wound by the extension http://hl7.org/fhir/StructureDefinition/bodySite with its BodyStructure.';
const NOT_ASSERTED =
  'The Condition is kept. Its stage enters no report: by its status the Condition is past, ruled out, or one of several that it may be.';

const DATED_ANEW =
  'The stage counts as of now, or of its new recordedDate, and not of the stage-stated-at that was sent: the stage or its status is another than before, with the time from before. Where the earlier stage was an error for that time, set this Condition to entered-in-error and send the right one as another Condition, with that time.';

/**
 * A Condition that names a wound and has a stage states that stage, as an Observation of the wound does. When it was stated is kept beside it, since
 * R4 has no place for that: as its sender says, else by `recordedDate`, and for a stage that a later version brings when it came.
 */
@Injectable()
export class ConditionIntake extends ResourceIntake<Condition> {
  readonly type = 'Condition';
  /** By transaction the Conditions whose sender kept a time that counts no longer. */
  private readonly datedAnew = new WeakMap<TenantTransaction, Set<string>>();

  constructor(
    private readonly findings: ClinicalFindings,
    private readonly orders: OrderMatching,
    private readonly jobs: JobRepository,
    private readonly clock: ClinicalClock,
    private readonly shown: StageProjection,
    private readonly stages: StagesOfConditions,
  ) {
    super();
  }

  override admit(call: FhirCall, resource: Condition): Promise<Condition> {
    return this.dated(call, resource, null);
  }

  override async amend(call: FhirCall, current: StoredResource<Condition>, next: Condition): Promise<Condition> {
    if (current.createdBy.kind === 'service')
      throw notPossible(
        'Condition',
        'What people stated is shown here. State another stage by a Condition of your own.',
      );
    return this.dated(call, next, current.isDeletion === true ? null : current.resource);
  }

  override settle(call: FhirCall, { resource }: StoredResource<Condition>): Promise<void> {
    return this.readAnew(call, [resource]);
  }

  override changed(call: FhirCall, before: StoredResource<Condition>, after: StoredResource<Condition>): Promise<void> {
    return this.readAnew(call, [before.resource, after.resource]);
  }

  override deleted(call: FhirCall, { resource }: StoredResource<Condition>): Promise<void> {
    return this.readAnew(call, [resource]);
  }

  override async advice(call: FhirCall, { resource }: StoredResource<Condition>): Promise<readonly string[]> {
    const isStage = resource.stage?.some(({ summary }) => stageOf((summary ?? {}) as SentConcept) !== null) === true;
    if (!isStage) return [];
    if (woundsOfCondition(resource).length === 0) return [NO_WOUND];
    if (!isAsserted(resource)) return [NOT_ASSERTED];
    const finding = asFinding(resource);
    const isAnew = this.datedAnew.get(call.transaction)?.has(resource.id!) === true;
    const photos = finding === null ? [] : await this.findings.photosWithin(call, finding);
    const late = await Promise.all(photos.map(({ imageId }) => this.jobs.wasAnalysed(call.transaction, imageId)));
    return [...(isAnew ? [DATED_ANEW] : []), ...(late.includes(true) ? [LATE] : [])];
  }

  /** `capture.future`; otherwise as `stagedCondition`. */
  private async dated({ transaction }: FhirCall, next: Condition, before: Condition | null): Promise<Condition> {
    const [is, was] = [stagedCondition(next), before === null ? null : keptStage(before)];
    if (is === null) return next;
    const isTold = is.statedAt !== null && is.statedAt !== was?.statedAt;
    // What was past or ruled out, and is so again, is stated now.
    const isAssertedAnew = before !== null && !isAsserted(before) && isAsserted(next);
    const isKept =
      was !== null &&
      was.statedAt !== null &&
      is.woundId === was.woundId &&
      isSameStage(is.stage, was.stage) &&
      !isAssertedAnew;
    const now = await this.clock.now(transaction);
    const isRecordedAnew = next.recordedDate !== undefined && next.recordedDate !== before?.recordedDate;
    const fresh = isRecordedAnew ? next.recordedDate! : now.toISOString();
    const told = isTold ? is.statedAt! : isKept && !isRecordedAnew ? was.statedAt! : fresh;
    const time = ClinicalTime.read(told);
    if (time === null || !(time.hasTimeOfDay || time.precision === 'day'))
      throw notPossible(
        `Condition.stage[${is.index}].extension`,
        'State the day, or the moment, on which the stage was stated, by the extension stage-stated-at or as recordedDate: photos are compared by that.',
      );
    if (is.statedAt !== null && told !== is.statedAt) {
      const ids = this.datedAnew.get(transaction) ?? new Set<string>();
      this.datedAnew.set(transaction, ids.add(next.id!));
    }
    const dated = withStatedAt(next, is, told);
    refuseFuture(dated, now);
    return dated;
  }

  /** Analyses that have not begun are made anew from what is stated now, and what the service shows of the wound follows. */
  private async readAnew(call: FhirCall, conditions: readonly Condition[]): Promise<void> {
    this.stages.forget(call.transaction);
    const seen = new Set<string>();
    for (const finding of conditions.flatMap((one) => asFinding(one) ?? []))
      for (const photo of await this.findings.photosWithin(call, finding)) {
        if (seen.has(photo.imageId)) continue;
        seen.add(photo.imageId);
        await this.orders.findingsChanged(call, photo);
      }
    const named = conditions.flatMap((one) => keptStage(one)?.woundId ?? []);
    for (const woundId of [...new Set(named)].sort()) await this.shown.refresh(call.transaction, woundId);
  }
}
