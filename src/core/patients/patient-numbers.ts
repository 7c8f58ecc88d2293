import { NO_AUTHORITIES, type AuthorityTable } from './authority-table.js';
import type { PatientIdentifier } from './patient.js';

/** A patient number with the sender's statements about it: its type (HL7 table 0203) and its use (FHIR identifier-use). */
export interface GivenNumber {
  readonly system?: string | undefined;
  readonly value?: string | undefined;
  readonly use?: string | undefined;
  readonly type?:
    | {
        readonly coding?:
          | readonly { readonly system?: string | undefined; readonly code?: string | undefined }[]
          | undefined;
      }
    | undefined;
}

/** Medical record number, patient internal identifier, and what its sender does not specify. */
const TYPES: readonly string[] = ['MR', 'PI', 'U'];
/** Table 0203 by its names over time. */
const TYPE_SYSTEM = /(?:^|v2[-/])0203$|^urn:oid:2\.16\.840\.1\.113883\.18\.108$/;
/** Numbers of persons, not of records: typed in by hand, shared in families, filled up with zeros. */
const PERSONAL_NUMBERS: readonly string[] = ['http://hl7.org/fhir/sid/us-ssn', 'urn:oid:2.16.840.1.113883.4.1'];

/**
 * The numbers that a patient is known by, in their order: medical record numbers, those without a type, and not what is used beside them
 * (`secondary`) or no more (`old`). Each is one patient's. Any others, such as a social security number, are kept and may be several patients';
 * only where there is nothing else is a patient known by them.
 */
export function identifyingNumbers<T extends GivenNumber>(numbers: readonly T[]): readonly T[] {
  const inUse = numbers.filter(({ use, value = '' }) => use !== 'old' && value !== '');
  const own = inUse.filter(isOfRecord);
  return own.length > 0 ? own : inUse;
}

/**
 * Numbers that are the patient's no longer by what is said now: one that was corrected within its numbering, or is only kept from now on. A
 * numbering of which nothing is said stays, since other senders know the patient by it.
 */
export function givenUp<T extends GivenNumber>(
  before: readonly T[],
  now: readonly T[],
  authorities: AuthorityTable = NO_AUTHORITIES,
): PatientIdentifier[] {
  const isSame = (one: PatientIdentifier, other: PatientIdentifier): boolean =>
    one.value === other.value && authorities.isSame(one.system, other.system);
  const known = identifyingNumbers(now).map(numberOf);
  const stated = now.filter(({ use }) => use !== 'old').map(numberOf);
  return identifyingNumbers(before)
    .map(numberOf)
    .filter(
      (number) =>
        !known.some((one) => isSame(one, number)) &&
        (stated.some((one) => isSame(one, number)) ||
          known.some(({ system }) => authorities.isSame(system, number.system))),
    );
}

function isOfRecord({ system = '', use, type }: GivenNumber): boolean {
  if (use === 'secondary' || PERSONAL_NUMBERS.includes(system)) return false;
  const types = (type?.coding ?? []).flatMap((coding) =>
    coding.code === undefined || (coding.system !== undefined && !TYPE_SYSTEM.test(coding.system)) ? [] : [coding.code],
  );
  return types.length === 0 || types.some((code) => TYPES.includes(code));
}

function numberOf({ system = '', value = '' }: GivenNumber): PatientIdentifier {
  return { system, value };
}
