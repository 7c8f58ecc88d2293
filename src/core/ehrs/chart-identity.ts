import { localInterval } from '../times/date-interval.js';
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
  /** As it is stated; one that can be read is `1951-07-14`, `1951-07` or `1951`. null: not stated. */
  readonly birthDate: string | null;
}

/**
 * True while the number is the patient's: a day, month or year counts from its beginning to its end by the clocks of `timeZone` (IANA), the
 * hospital's. A moment that cannot be read is no time at which it is theirs.
 */
export function isInForce({ period }: Pick<ChartNumber, 'period'>, now: Date, timeZone: string): boolean {
  const { start, end } = period ?? {};
  const [first, last] = [start, end].map((one) => (one === undefined ? undefined : localInterval(one, timeZone)));
  if (first === null || last === null) return false;
  return (first === undefined || now >= first.low) && (last === undefined || now < last.high);
}

const BIRTH_DATE = /^\d{4}(-\d{2}(-\d{2})?)?$/;

/** True where a birth date is stated that cannot be compared with the known one: whether it is the same is then in doubt, and not unstated. */
export function isUnreadBirthDate(known: string | null, stated: string): boolean {
  return knownBirthDate(known) !== null && !(BIRTH_DATE.test(stated) && localInterval(stated, 'UTC') !== null);
}

/** True where the birth dates are of two people: compared as far as both are precise, and not where either stands for one that nobody knows. */
export function isOtherBirthDate(known: string | null, stated: string | null): boolean {
  const [one, other] = [knownBirthDate(known), knownBirthDate(stated)];
  return one !== null && other !== null && !one.startsWith(other) && !other.startsWith(one);
}
