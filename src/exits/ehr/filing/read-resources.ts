import { listOf, type AnsweredResource } from '../calls/fhir-answer.js';
import { FILED_SYSTEM } from '../dialects/filing.js';
import { HeldError } from '../settings/holds.js';
import type { FilingTurn } from './filing-turn.js';
import { subjectOf } from './subject.js';

/** `ehr_patient_changed` for what is in another chart than that of `Patient/id`. */
export function requireChart(resource: AnsweredResource, patient: string, ehr: FilingTurn['ehr']): void {
  if (subjectOf(resource, ehr) !== patient) throw new HeldError('ehr_patient_changed');
}

/** In the chart of the patient, and not entered in error there. `ehr_patient_changed`, `ehr_changed_there`. */
export function requireStanding(resource: AnsweredResource, patient: string, ehr: FilingTurn['ehr']): void {
  requireChart(resource, patient, ehr);
  if (isInError(resource)) throw new HeldError('ehr_changed_there');
}

/** Whether it has our identifier of this value. */
export function isNamed(resource: AnsweredResource, value: string): boolean {
  return namesOf(resource).includes(value);
}

/** Values of our identifiers. */
export function namesOf(resource: AnsweredResource): readonly unknown[] {
  return listOf((resource as { readonly identifier?: unknown }).identifier).flatMap((one) => {
    const { system, value } = one as { readonly system?: unknown; readonly value?: unknown };
    return system === FILED_SYSTEM ? [value] : [];
  });
}

/** The name of the newest version of those that a resource has: a change keeps those before. */
export function newestOf(names: readonly unknown[]): unknown {
  const versionIn = (name: unknown): number => Number(/\/v(\d+)$/.exec(String(name))?.[1] ?? 0);
  return names.reduce((newest, name) => (newest === null || versionIn(name) > versionIn(newest) ? name : newest), null);
}

const SECOND_MS = 1000;

/** Whether both state when they were issued, and not as the same second. */
export function isOfAnotherTime(present: object, sent: object): boolean {
  const momentOf = (one: object): number => {
    const { issued, date } = one as { readonly issued?: unknown; readonly date?: unknown };
    const text = issued ?? date;
    return isText(text) && text.includes('T') ? Date.parse(text) : Number.NaN;
  };
  return Math.abs(momentOf(present) - momentOf(sent)) >= SECOND_MS;
}

/** Nobody relies on it any more. */
export function hasBeenEnded(resource: AnsweredResource): boolean {
  return isInError(resource) || statusOf(resource) === 'superseded';
}

/** As it stands there. */
export function statusOf(resource: AnsweredResource): unknown {
  return (resource as { readonly status?: unknown }).status;
}

/** Whether somebody, or we, have said that it is no finding of this patient. */
export function isInError(resource: AnsweredResource): boolean {
  return statusOf(resource) === 'entered-in-error';
}

/** The version of what stands there; null: the EHR states none. */
export function versionOf({ meta }: AnsweredResource): string | null {
  return isText(meta?.versionId) ? meta.versionId : null;
}

/** Nothing about a resource of another server is certain. */
export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
