import type { Condition } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import { Clock } from '../../../core/ports/clock.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { stageOf, type SentConcept } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceIntake } from '../interactions/resource-intake.js';
import { ClinicalFindings } from './clinical-findings.js';
import { OrderMatching } from './order-matching.js';
import { refuseFuture } from './photo-times.js';
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
  'The photo of that time was analysed with what was noted before. Its report does not follow this stage: the next photo of the wound within four weeks states it, unless another stage is stated first.';
const NO_WOUND =
  'The Condition is kept. Its stage enters no report: name the wound by the extension http://hl7.org/fhir/StructureDefinition/bodySite with its BodyStructure.';
const NOT_ASSERTED =
  'The Condition is kept. Its stage enters no report: by its status the Condition is past, ruled out, or one of several that it may be.';

/**
 * A Condition that names a wound and has a stage states that stage, as an Observation of the wound does. When it was stated is kept beside it, since
 * R4 has no place for that: as its sender says, else by `recordedDate`, and for a stage that a later version brings when it came.
 */
@Injectable()
export class ConditionIntake extends ResourceIntake<Condition> {
  readonly type = 'Condition';

  constructor(
    private readonly findings: ClinicalFindings,
    private readonly orders: OrderMatching,
    private readonly jobs: JobRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override admit(_call: FhirCall, resource: Condition): Promise<Condition> {
    return Promise.resolve(this.dated(resource, null));
  }

  override amend(_call: FhirCall, current: StoredResource<Condition>, next: Condition): Promise<Condition> {
    if (current.createdBy.kind === 'service')
      throw notPossible(
        'Condition',
        'What people stated is shown here. State another stage by a Condition of your own.',
      );
    return Promise.resolve(this.dated(next, current.isDeletion === true ? null : current.resource));
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
    const photos = finding === null ? [] : await this.findings.photosOfMoment(call, finding);
    const late = await Promise.all(photos.map(({ imageId }) => this.jobs.wasAnalysed(call.transaction, imageId)));
    return late.includes(true) ? [LATE] : [];
  }

  /** `capture.future`; otherwise as `stagedCondition`. */
  private dated(next: Condition, before: Condition | null): Condition {
    const [is, was] = [stagedCondition(next), before === null ? null : keptStage(before)];
    if (is === null) return next;
    const isTold = is.statedAt !== null && is.statedAt !== was?.statedAt;
    const isKept =
      was !== null && was.statedAt !== null && is.woundId === was.woundId && isSameStage(is.stage, was.stage);
    const isRecordedAnew = next.recordedDate !== undefined && next.recordedDate !== before?.recordedDate;
    const fresh = isRecordedAnew ? next.recordedDate! : this.clock.now().toISOString();
    const told = isTold ? is.statedAt! : isKept && !isRecordedAnew ? was.statedAt! : fresh;
    const time = ClinicalTime.read(told);
    if (time === null || !(time.hasTimeOfDay || time.precision === 'day'))
      throw notPossible(
        `Condition.stage[${is.index}].extension`,
        'State the day, or the moment, on which the stage was stated, by the extension stage-stated-at or as recordedDate: photos are compared by that.',
      );
    const dated = withStatedAt(next, is, told);
    refuseFuture(dated, this.clock.now());
    return dated;
  }

  /** Analyses that have not begun are made anew from what is stated now. */
  private async readAnew(call: FhirCall, conditions: readonly Condition[]): Promise<void> {
    const seen = new Set<string>();
    for (const finding of conditions.flatMap((one) => asFinding(one) ?? []))
      for (const photo of await this.findings.photosWithin(call, finding)) {
        if (seen.has(photo.imageId)) continue;
        seen.add(photo.imageId);
        await this.orders.findingsChanged(call, photo);
      }
  }
}
