import type { CodeableConcept, Condition, ConditionStage, Extension, Observation } from '@medplum/fhirtypes';
import type { WoundStage } from '../../../core/analysis/wound-stage.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import {
  BODY_SITE,
  CLINICIAN_CODES,
  STAGE_STATED_AT,
  stageCodeOf,
  stageOf,
  type SentConcept,
} from '../../../reports/index.js';
import { idOf } from './local-reference.js';

type Stage = Pick<WoundStage, 'system' | 'value'>;

/** A stage of a wound, as a Condition states it. */
export interface StagedCondition {
  readonly woundId: string;
  readonly stage: Stage;
  /** Its place among those of the Condition. */
  readonly index: number;
  /** As its sender or the service wrote it; null: not yet known. */
  readonly statedAt: string | null;
}

/** The BodyStructures that it names, each once: as a whole, or as a body site. */
export function woundsOfCondition({ extension = [], bodySite = [] }: Condition): string[] {
  const all: Extension[] = [...extension, ...bodySite.flatMap((site) => site.extension ?? [])];
  const named = all.filter(({ url }) => url === BODY_SITE);
  return [...new Set(named.flatMap(({ valueReference }) => idOf(valueReference, 'BodyStructure') ?? []))];
}

/** Whether it says what is so: not withdrawn, ruled out, one of several that it may be, or past. */
export function isAsserted({ verificationStatus, clinicalStatus }: Condition): boolean {
  const has = (concept: Condition['clinicalStatus'], codes: readonly string[]) =>
    concept?.coding?.some(({ code = '' }) => codes.includes(code)) === true;
  return (
    !has(verificationStatus, ['entered-in-error', 'refuted', 'differential']) &&
    !has(clinicalStatus, ['inactive', 'remission', 'resolved'])
  );
}

/**
 * What it states of the stage of a wound; null: it names no wound, or no stage. `fhir.business_rule` for several wounds, several stages that differ, and
 * a stage that is none of those that are known.
 */
export function stagedCondition(condition: Condition): StagedCondition | null {
  const [woundId, ...otherWounds] = woundsOfCondition(condition);
  if (woundId === undefined) return null;
  const [first, ...others] = (condition.stage ?? []).flatMap(({ summary }, index) =>
    summary === undefined ? [] : [{ stage: known(summary, index), index }],
  );
  if (first === undefined) return null;
  if (otherWounds.length > 0)
    throw notPossible('Condition.extension', 'Name one wound: the stage of several is a Condition of each.');
  const another = others.find(({ stage }) => !isSameStage(stage, first.stage));
  if (another !== undefined)
    throw notPossible(
      `Condition.stage[${another.index}]`,
      'State one stage: a wound has one at a time here. That of another classification is a Condition of its own.',
    );
  return { woundId, ...first, statedAt: statedAtOf(condition.stage![first.index]!) };
}

function known(summary: CodeableConcept, index: number): Stage {
  const stage = stageOf(summary as SentConcept);
  if (stage !== null) return stage;
  throw notPossible(
    `Condition.stage[${index}].summary`,
    'State a stage or grade of ValueSet/wound-stage, by its code or in words ("Stage 3", "Wagner 2", "UT 1B"). A Condition with stages of another kind names no BodyStructure.',
  );
}

/** As `stagedCondition`, of one that was kept; null: it cannot be read, too. */
export function keptStage(condition: Condition): StagedCondition | null {
  try {
    return stagedCondition(condition);
  } catch {
    return null;
  }
}

export function isSameStage(one: Stage, other: Stage): boolean {
  return one.system === other.system && one.value === other.value;
}

function statedAtOf({ extension }: ConditionStage): string | null {
  return extension?.find(({ url }) => url === STAGE_STATED_AT)?.valueDateTime ?? null;
}

/** The Condition with the time of its stage. */
export function withStatedAt(condition: Condition, { index }: StagedCondition, statedAt: string): Condition {
  const stage = condition.stage!.map((one, at) => {
    if (at !== index) return one;
    const others = (one.extension ?? []).filter(({ url }) => url !== STAGE_STATED_AT);
    return { ...one, extension: [...others, { url: STAGE_STATED_AT, valueDateTime: statedAt }] };
  });
  return { ...condition, stage };
}

/** What it states as the finding that it is: about its wound, at its time, by whoever asserted it. null: nothing that counts. */
export function asFinding(condition: Condition): Observation | null {
  const stated = isAsserted(condition) ? keptStage(condition) : null;
  if (stated === null || ClinicalTime.read(stated.statedAt) === null) return null;
  const display = condition.asserter?.display;
  return {
    resourceType: 'Observation',
    id: condition.id!,
    status: 'final',
    code: { coding: [{ ...CLINICIAN_CODES.stage }] },
    subject: condition.subject,
    focus: [{ reference: `BodyStructure/${stated.woundId}` }],
    effectiveDateTime: stated.statedAt!,
    ...(display === undefined ? {} : { performer: [{ display }] }),
    valueCodeableConcept: { coding: [{ ...stageCodeOf(stated.stage) }] },
  } as Observation;
}
