import { randomUUID } from 'node:crypto';

/** Systems that a hospital would have of its own; these are of the range for examples. */
const SYSTEMS = { patient: 'urn:oid:2.999.1', wound: 'urn:oid:2.999.2', order: 'urn:oid:2.999.3' };

/**
 * What a ward system sends with one photo: patient and wound by the hospital's own numbers, made only where they are not there yet, the
 * photo within the Media, and the order to assess it. The entries refer to each other by their fullUrl.
 */
export function woundTransaction({ patientNumber, woundNumber, orderNumber, jpeg, takenAt }) {
  const [patient, wound, photo] = [1, 2, 3].map(() => `urn:uuid:${randomUUID()}`);
  const knownPatient = `identifier=${SYSTEMS.patient}|${patientNumber}`;
  const entries = [
    [patient, patientResource(patientNumber), knownPatient],
    [wound, woundResource(woundNumber, patient), `identifier=${SYSTEMS.wound}|${woundNumber}&patient.${knownPatient}`],
    [photo, photoResource({ patient, wound, jpeg, takenAt })],
    [
      `urn:uuid:${randomUUID()}`,
      orderResource({ orderNumber, patient, photo }),
      `identifier=${SYSTEMS.order}|${orderNumber}`,
    ],
  ];
  return { resourceType: 'Bundle', type: 'transaction', entry: entries.map(toEntry) };
}

function toEntry([fullUrl, resource, ifNoneExist]) {
  return {
    fullUrl,
    resource,
    request: { method: 'POST', url: resource.resourceType, ...(ifNoneExist === undefined ? {} : { ifNoneExist }) },
  };
}

function patientResource(number) {
  return {
    resourceType: 'Patient',
    identifier: [{ system: SYSTEMS.patient, value: number }],
    name: [{ family: 'Example', given: ['Ada'] }],
    birthDate: '1950-01-01',
  };
}

function woundResource(number, patient) {
  return {
    resourceType: 'BodyStructure',
    identifier: [{ system: SYSTEMS.wound, value: number }],
    location: { coding: [{ system: 'http://snomed.info/sct', code: '75144006' }], text: 'Left lower leg' },
    patient: { reference: patient },
  };
}

function photoResource({ patient, wound, jpeg, takenAt }) {
  return {
    resourceType: 'Media',
    extension: [{ url: 'https://sutura.dev/fhir/StructureDefinition/wound', valueReference: { reference: wound } }],
    status: 'completed',
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'image' }] },
    subject: { reference: patient },
    createdDateTime: takenAt.toISOString(),
    content: { contentType: 'image/jpeg', data: jpeg.toString('base64') },
  };
}

function orderResource({ orderNumber, patient, photo }) {
  return {
    resourceType: 'ServiceRequest',
    identifier: [{ system: SYSTEMS.order, value: orderNumber }],
    status: 'active',
    intent: 'order',
    code: { coding: [{ system: 'http://loinc.org', code: '39135-9', display: 'Wound assessment panel' }] },
    subject: { reference: patient },
    supportingInfo: [{ reference: photo }],
  };
}
