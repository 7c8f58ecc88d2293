import { knownBirthDate } from '../patients/identity-comparison.js';
import type { GivenNumber } from '../patients/patient-numbers.js';

/** An identifier of a Patient at an EHR, as it states it. */
export interface ChartNumber extends GivenNumber {
  /** FHIR dateTimes: `2026-03-15`, `2026-03`, `2026`, or to the second. */
  readonly period?: { readonly start?: string | undefined; readonly end?: string | undefined } | undefined;
}

/** Who an EHR says that its patient is. */
export interface ChartPatient {
  readonly numbers: readonly ChartNumber[];
  /** `1951-07-14`, `1951-07` or `1951`; null: not stated. */
  readonly birthDate: string | null;
}

const DAY = /^\d{4}(-\d{2}(-\d{2})?)?$/;

/** True while the number is the patient's: a day, month or year counts to its end. A moment that cannot be read is no time at which it is theirs. */
export function isInForce({ period }: Pick<ChartNumber, 'period'>, now: Date): boolean {
  const { start, end } = period ?? {};
  return (start === undefined || compared(now, start) >= 0) && (end === undefined || compared(now, end) <= 0);
}

/** True where the birth dates are of two people: compared as far as both are precise, and not where either stands for one that nobody knows. */
export function isOtherBirthDate(known: string | null, stated: string | null): boolean {
  const [one, other] = [knownBirthDate(known), knownBirthDate(stated)];
  return one !== null && other !== null && !one.startsWith(other) && !other.startsWith(one);
}

/** Below 0: before it; 0: within it. NaN: it is no moment. */
function compared(now: Date, stated: string): number {
  if (!DAY.test(stated)) return now.getTime() - Date.parse(stated);
  const present = now.toISOString().slice(0, stated.length);
  return present === stated ? 0 : present < stated ? -1 : 1;
}
