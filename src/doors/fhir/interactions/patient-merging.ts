import type { Patient, Reference } from '@medplum/fhirtypes';
import type { FhirCall } from '../call/fhir-call.js';
import { targetOf } from './reference-walk.js';

/** A Patient that ends, and the one that stands for both from then on; ids of this server. */
export interface WantedMerge {
  readonly priorId: string;
  readonly survivorId: string;
}

/** Joins two Patients of this server, as ADT^A40 does. */
export abstract class PatientMerging {
  /** `auth.scope`, and `fhir.business_rule` for a record with itself, into one that was joined into another, or of one that was. */
  abstract require(call: FhirCall, wanted: WantedMerge, place: string): Promise<void>;
  /** `Type/id` of everything that has a new version by it. Where the records are one already, nothing. */
  abstract merge(call: FhirCall, wanted: WantedMerge): Promise<readonly string[]>;
}

type Link = NonNullable<Patient['link']>[number];

/** What a Patient says that it is replaced by, on this server or elsewhere; undefined: nothing. */
export function replacementIn({ link = [] }: Patient): Reference | undefined {
  return link.find(({ type }) => type === 'replaced-by')?.other;
}

/** The id of the Patient of this server that one says to be replaced by; null: none. */
export function replacedBy(patient: Patient): string | null {
  const target = targetOf(replacementIn(patient)?.reference ?? '');
  return target?.type === 'Patient' ? target.id : null;
}

/** The Patient as one that ended: no longer in use, nor are its numbers, and with the one link to the one that stands. */
export function retired(patient: Patient, survivorId: string): Patient {
  const { identifier, link = [] } = patient;
  return {
    ...patient,
    active: false,
    ...(identifier === undefined ? {} : { identifier: identifier.map((one) => ({ ...one, use: 'old' as const })) }),
    link: [
      ...link.filter(({ type }: Link) => type !== 'replaced-by'),
      { other: { reference: `Patient/${survivorId}` }, type: 'replaced-by' },
    ],
  };
}
