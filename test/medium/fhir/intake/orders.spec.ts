import type { BodyStructure, Media, Patient, ServiceRequest } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';

const LOINC = 'http://loinc.org';
const PANEL = { coding: [{ system: LOINC, code: '39135-9' }] };
const IMAGE = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'image' }] };

let ground: IntakeGround;
let caller: Caller;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const patient = (value = 'MRN-1'): Patient => ({ resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value }] });
const order = (patientId: string, more: Partial<ServiceRequest> = {}): ServiceRequest =>
  ({ resourceType: 'ServiceRequest', status: 'active', intent: 'order', code: PANEL, subject: { reference: `Patient/${patientId}` }, ...more }) as ServiceRequest;
const media = (content: object, more: Partial<Media> = {}): Media => ({ resourceType: 'Media', status: 'completed', type: IMAGE, content, ...more }) as Media;

describe('an order and its photo', () => {
  it('waits for the photo, and is one analysis once that has come', async () => {
    const { resource: person } = await ground.post(caller, patient());
    const { resource: placed } = await ground.post(caller, order(person.id!));
    const [waiting] = await ground.tasks(caller);
    expect(waiting).toMatchObject({ status: 'received', focus: { reference: `ServiceRequest/${placed.id}` } });
    expect(await ground.jobs(caller)).toEqual([]);
    const { resource: photo } = await ground.post(caller, media({ data: await photoData() }, { subject: { reference: `Patient/${person.id}` }, basedOn: [{ reference: `ServiceRequest/${placed.id}` }] }));
    const [job, ...others] = await ground.jobs(caller);
    expect(others).toEqual([]);
    expect(job).toMatchObject({ id: waiting!.id, imageId: photo.id, source: 'fhir', patientId: person.id, subject: { patientId: 'MRN-1', patientSystem: 'urn:oid:1.2.3' } });
    expect(await ground.tasks(caller)).toMatchObject([{ id: waiting!.id, status: 'accepted', input: [{ valueReference: { reference: `Media/${photo.id}` } }] }]);
  });
});

export type { BodyStructure };
