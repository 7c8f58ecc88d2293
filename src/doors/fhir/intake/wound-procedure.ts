import type { Coding, Procedure } from '@medplum/fhirtypes';
import { CLINICAL_EVENT_TYPES, type ClinicalEventType } from '../../../core/followup/clinical-event.js';
import type { Reviewer } from '../../../core/followup/wound.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { EVENT, EVENT_SNOMED, TARGET_BODY_STRUCTURE } from '../../../reports/index.js';
import { idOf } from './local-reference.js';

/** Statuses of what was done, or has begun. */
const DONE: readonly Procedure['status'][] = ['in-progress', 'on-hold', 'stopped', 'completed'];
const LONGEST_NOTE = 2000;

/** What a Procedure says was done to a wound. */
export interface WoundProcedure {
  readonly woundId: string;
  /** `other`: a code that is none of those that are known. */
  readonly type: ClinicalEventType;
  /** null: no day is stated. */
  readonly occurredAt: Date | null;
  readonly note: string | null;
  readonly by: Reviewer | null;
}

/** The BodyStructures that it names, each once. */
export function woundsOf({ extension }: Procedure): string[] {
  const named = (extension ?? []).filter(({ url }) => url === TARGET_BODY_STRUCTURE);
  const ids = named.map(({ valueReference }) => idOf(valueReference, 'BodyStructure'));
  return [...new Set(ids.filter((id) => id !== null))];
}

/** null: it names no wound, or was not done. A day is its beginning by the clocks of the organization. */
export function woundProcedure(procedure: Procedure, timeZone: string): WoundProcedure | null {
  const [woundId] = woundsOf(procedure);
  if (woundId === undefined || !DONE.includes(procedure.status)) return null;
  const time = ClinicalTime.read(procedure.performedDateTime ?? procedure.performedPeriod?.start);
  const isDay = time !== null && (time.hasTimeOfDay || time.precision === 'day');
  return {
    woundId,
    type: typeOf(procedure.code?.coding ?? []) ?? 'other',
    occurredAt: isDay ? time.spanIn(timeZone).low : null,
    note: noteOf(procedure),
    by: performerOf(procedure),
  };
}

/** null: none that is known. */
export function typeOf(codings: readonly Coding[]): ClinicalEventType | null {
  const isMeant = (type: ClinicalEventType) =>
    [EVENT[type], EVENT_SNOMED[type]].some((known) =>
      codings.some(({ system, code }) => known !== undefined && known.system === system && known.code === code),
    );
  return CLINICAL_EVENT_TYPES.find(isMeant) ?? null;
}

/** The words of what is none of the known events stand in its note. */
function noteOf({ note, code }: Procedure): string | null {
  const words = typeOf(code?.coding ?? []) === null ? [code?.text ?? code?.coding?.[0]?.display] : [];
  const text = [...words, ...(note ?? []).map((one) => one.text)].filter((one) => one !== undefined).join('\n');
  return text === '' ? null : [...text].slice(0, LONGEST_NOTE).join('');
}

function performerOf({ performer }: Procedure): Reviewer | null {
  const actor = performer?.[0]?.actor;
  const id = actor?.identifier?.value ?? actor?.reference;
  if (id === undefined) return null;
  const system = actor?.identifier?.system;
  return { id, name: actor?.display ?? id, ...(system === undefined ? {} : { system }) };
}
