import type { BodyStructure, Media, Patient, ServiceRequest } from '@medplum/fhirtypes';

const LOINC = 'http://loinc.org';
export const PATIENT_NUMBERS = 'urn:oid:1.2.3.4.5.6';
export const WOUND_NUMBERS = 'urn:oid:1.2.3.4.5.8';
export const IMAGE_TYPE = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'image' }] };
const WOUND_EXTENSION = 'https://sutura.dev/fhir/StructureDefinition/wound';

/** Resources as an EHR posts them, with as little as they need. */
export function patientOf(value: string | null = 'MRN-1', more: Partial<Patient> = {}): Patient {
  return {
    resourceType: 'Patient',
    ...(value === null ? {} : { identifier: [{ system: PATIENT_NUMBERS, value }] }),
    ...more,
  };
}

export function woundOf(
  patientId: string,
  value: string | null = 'W-1',
  more: Partial<BodyStructure> = {},
): BodyStructure {
  return {
    resourceType: 'BodyStructure',
    ...(value === null ? {} : { identifier: [{ system: WOUND_NUMBERS, value }] }),
    patient: { reference: `Patient/${patientId}` },
    ...more,
  };
}

export function mediaOf(
  content: object,
  links: { readonly patientId?: string; readonly woundId?: string; readonly orderId?: string } = {},
  more: Partial<Media> = {},
): Media {
  const { patientId, woundId, orderId } = links;
  return {
    resourceType: 'Media',
    status: 'completed',
    type: IMAGE_TYPE,
    ...(patientId === undefined ? {} : { subject: { reference: `Patient/${patientId}` } }),
    ...(woundId === undefined
      ? {}
      : { extension: [{ url: WOUND_EXTENSION, valueReference: { reference: `BodyStructure/${woundId}` } }] }),
    ...(orderId === undefined ? {} : { basedOn: [{ reference: `ServiceRequest/${orderId}` }] }),
    content: 'data' in content ? { contentType: 'image/jpeg', ...content } : content,
    ...more,
  } as Media;
}

export function orderOf(patientId: string, more: Partial<ServiceRequest> = {}): ServiceRequest {
  return {
    resourceType: 'ServiceRequest',
    status: 'active',
    intent: 'order',
    code: { coding: [{ system: LOINC, code: '39135-9' }] },
    subject: { reference: `Patient/${patientId}` },
    ...more,
  } as ServiceRequest;
}
