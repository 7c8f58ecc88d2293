import type { Identifier, Patient, Reference, Resource } from '@medplum/fhirtypes';
import { identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import { elementsOf } from '../../../standards/fhir/types/elements.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { referencedType } from '../../../standards/fhir/validation/reference-target.js';
import { referencesOf, targetOf } from './reference-walk.js';

/** What a resource says of its patient without a Patient of this server. */
export interface StatedSubject {
  /** The element that says it, such as `subject`. */
  readonly element: string;
  /** The numbers by which the patient may be known here; none: an address of another server alone. */
  readonly identifiers: readonly PatientIdentifier[];
  /** An address of another server; null: none. */
  readonly address: string | null;
  /** The Patient within the resource; null: none. */
  readonly contained: Patient | null;
}

/** The element with the subject of a type; null: it has none, or is the Patient itself. */
export function subjectElement(type: string): string | null {
  return rowOf(type)?.subject ?? null;
}

export function subjectOf(resource: Resource): Reference | undefined {
  return elementsOf(resource)[subjectElement(resource.resourceType) ?? ''] as Reference | undefined;
}

/** The id of the Patient of this server that a resource names as its subject; null: none. */
export function patientOf(resource: Resource): string | null {
  const target = targetOf(subjectOf(resource)?.reference ?? '');
  return target?.type === 'Patient' ? target.id : null;
}

/**
 * The patient whom a resource states by a number, by the address of another server or by a Patient within itself. null: it names a Patient here,
 * something else than a patient, or nobody. A name alone is nobody: nobody can be found by it.
 */
export function statedSubject(resource: Resource): StatedSubject | null {
  const element = subjectElement(resource.resourceType);
  const { reference, identifier, type } = subjectOf(resource) ?? {};
  if (element === null || targetOf(reference ?? '') !== null || (type !== undefined && type !== 'Patient')) return null;
  const contained = containedIn(resource, reference);
  if (contained !== null && contained.resourceType !== 'Patient') return null;
  const address = reference === undefined || contained !== null ? null : reference;
  // An address that names its type names a patient, or the subject is none: a group, a device, a place.
  if (address !== null && ![undefined, 'Patient'].includes(referencedType(address) ?? undefined)) return null;
  const identifiers = [
    ...numbersIn(identifier === undefined ? [] : [identifier]),
    ...numbersIn(identifyingNumbers(contained?.identifier ?? [])),
  ];
  return identifiers.length === 0 && address === null ? null : { element, identifiers, address, contained };
}

/** The resource as of this Patient; the number stays beside it. A Patient within it goes where nothing else there names it: R4 keeps no such. */
export function withSubject<T extends Resource>(resource: T, patientId: string): T {
  const element = subjectElement(resource.resourceType)!;
  const { reference: said, ...rest }: Reference = subjectOf(resource) ?? {};
  const named = { ...resource, [element]: { reference: `Patient/${patientId}`, ...rest } };
  if (said?.startsWith('#') !== true || referencesOf(named).some(({ reference }) => reference === said)) return named;
  const { contained, ...bare } = named as T & { contained?: Resource[] };
  const others = (contained ?? []).filter(({ id }) => `#${id}` !== said);
  // The same members but for `contained`: a rest of a type parameter loses that.
  return (others.length === 0 ? bare : { ...bare, contained: others }) as unknown as T;
}

/** What can be compared of a patient who is not known here: each number, and the address. */
export function keysOf({ identifiers, address }: StatedSubject): string[] {
  return [
    ...identifiers.map(({ system, value }) => `number ${system}|${value}`),
    ...(address === null ? [] : [`address ${address}`]),
  ];
}

function containedIn(resource: Resource, reference: string | undefined): Resource | null {
  if (reference?.startsWith('#') !== true) return null;
  const { contained = [] } = resource as { contained?: Resource[] };
  return contained.find(({ id }) => `#${id}` === reference) ?? null;
}

function numbersIn(identifiers: readonly Identifier[]): PatientIdentifier[] {
  return identifiers.flatMap(({ system = '', value = '' }) => (value === '' ? [] : [{ system, value }]));
}
