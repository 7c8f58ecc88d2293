import type { Patient } from '@medplum/fhirtypes';
import type { StatedPerson } from '../../../core/patients/identity-comparison.js';

/** What a Patient says of who it is. A name of text alone counts as a family name. */
export function statedPersonOf({ name = [], birthDate }: Pick<Patient, 'name' | 'birthDate'>): StatedPerson {
  return {
    families: name.flatMap(({ family, text, given }) => family ?? (given === undefined ? (text ?? []) : [])),
    givens: name.flatMap(({ given = [] }) => given.filter((one) => typeof one === 'string')),
    birthDate,
  };
}
