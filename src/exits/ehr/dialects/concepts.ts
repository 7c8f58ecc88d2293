import type { CodeableConcept } from '@medplum/fhirtypes';

/** A concept of one code. */
export function concept(system: string, code: string, display: string): CodeableConcept {
  return { coding: [{ system, code, display }] };
}
