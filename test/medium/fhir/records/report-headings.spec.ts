import type { Encounter, Patient, Practitioner, ServiceRequest } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { AnalysisJob } from '../../../../src/core/analysis/analysis-job.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { ReportHeadings, type HeadingSubject } from '../../../../src/core/report/report-heading.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import { applyMessage, er7 } from '../../../support/applied-message.js';
import { hl7Sample } from '../../../support/hl7-inbound.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf, PATIENT_NUMBERS } from '../../../support/intake-resources.js';

const NOTHING = {
  patientName: null,
  birthDate: null,
  patientNumber: null,
  facility: 'Clinic',
  orderer: null,
  timeZone: 'UTC',
};

let ground: IntakeGround;
let caller: Caller;
let photo: string;
beforeAll(async () => {
  [ground, photo] = [await IntakeGround.open(), await photoData(3)];
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const headingOf = (subject: Partial<HeadingSubject>, reader = caller) =>
  ground.within(reader, ({ transaction }) =>
    ground
      .get(ReportHeadings)
      .of(transaction, { jobId: v7(), imageId: v7(), patientId: null, patient: null, ...subject }),
  );
/** That of the report which the job will have. */
const headingOfJob = ({ id, imageId, patientId, subject }: AnalysisJob, number = subject!.patientId!) =>
  headingOf({ jobId: id, imageId, patientId, patient: { system: subject!.patientSystem ?? '', value: number } });
/** A patient of whom the native API has told a number. */
const known = (value: string) =>
  ground.within(caller, ({ transaction }) =>
    ground.get(PatientRepository).resolve(transaction, { system: PATIENT_NUMBERS, value }, v7()),
  );

async function orderByMessage(changes: readonly (readonly [string, string])[] = [], source = {}): Promise<AnalysisJob> {
  const message = hl7Sample('2.5.1/omg-o19-photo', ['/9j/4AAQSkZJRg==', photo], ...changes);
  const problems = await applyMessage(ground, caller, message, source);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [job] = await ground.jobs(caller);
  return job!;
}

describe('nothing is printed that nobody said', () => {
  it('of a photo that nobody has assigned', async () => {
    expect(await headingOf({})).toEqual(NOTHING);
  });

  it('of a patient of whom only a number is known', async () => {
    const patient = { system: PATIENT_NUMBERS, value: 'MRN-1' };
    expect(await headingOf({ patientId: await known('MRN-1'), patient })).toEqual({
      ...NOTHING,
      patientNumber: 'MRN-1',
    });
  });

  it('by a source that gives no demographics', async () => {
    const job = await orderByMessage([], { storeDemographics: false });
    expect(await headingOfJob(job)).toMatchObject({
      patientName: null,
      birthDate: null,
      patientNumber: 'MRN-778812 (HOSP)',
    });
  });

  it('of another organization’s patient', async () => {
    const { id } = (await ground.post<Patient>(caller, patientOf('MRN-1', { name: [{ family: 'Beispiel' }] })))
      .resource;
    expect(await headingOf({ patientId: id! }, await ground.createCaller())).toEqual(NOTHING);
  });

  it('by an order or a visit of another patient, or one that was entered in error', async () => {
    const [right, wrong] = await Promise.all(
      ['MRN-1', 'MRN-2'].map(async (value) => (await ground.post<Patient>(caller, patientOf(value))).resource.id!),
    );
    const visit = await ground.post<Encounter>(caller, {
      resourceType: 'Encounter',
      status: 'in-progress',
      class: { code: 'IMP' },
      subject: { reference: `Patient/${wrong}` },
      location: [{ location: { display: 'Ward 9' } }],
    });
    const order = await ground.post<ServiceRequest>(
      caller,
      orderOf(wrong!, {
        requester: { display: 'Dr. Other' },
        encounter: { reference: `Encounter/${visit.resource.id}` },
      }),
    );
    await ground.post(
      caller,
      mediaOf({ contentType: 'image/jpeg', data: photo }, { patientId: wrong!, orderId: order.resource.id! }),
    );
    const [job] = await ground.jobs(caller);
    expect(await headingOfJob(job!)).toMatchObject({ orderer: 'Dr. Other', facility: 'Clinic, Ward 9' });
    expect(await headingOfJob({ ...job!, patientId: right! })).toMatchObject({ orderer: null, facility: 'Clinic' });
    await ground.put(caller, { ...visit.resource, status: 'entered-in-error' });
    expect(await headingOfJob(job!)).toMatchObject({ orderer: 'Dr. Other', facility: 'Clinic' });
  });
});

describe('who and where, as an HL7 v2 order says', () => {
  it('is name, birth date, the number that was matched by, the ward and who ordered', async () => {
    expect(await headingOfJob(await orderByMessage())).toEqual({
      patientName: 'Beispiel, Anna',
      birthDate: '1951-07-14',
      patientNumber: 'MRN-778812 (HOSP)',
      facility: 'Clinic, W3 301 1 HOSP',
      orderer: 'Petra Pflege',
      timeZone: 'UTC',
    });
  });

  it('is the ordering provider of OBR-16 where ORC-12 is empty, and the ward where there is no visit number', async () => {
    const job = await orderByMessage([
      ['20260315093000+0100|||31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO\r', '20260315093000+0100\r'],
      ['V-90017^^^HOSP&1.2.3.4.5.10&ISO^VN', ''],
      ['31^Pflege^Petra', '32^Arzt^Paul^^^Dr.'],
    ]);
    expect(await headingOfJob(job)).toMatchObject({ orderer: 'Dr. Paul Arzt', facility: 'Clinic, W3 301 1 HOSP' });
  });

  it('is a birth date as far as it is known', async () => {
    expect(await headingOfJob(await orderByMessage([['19510714', '1951']]))).toMatchObject({ birthDate: '1951' });
  });

  it('is the surviving patient after a merge, and the corrected number after a correction', async () => {
    const job = await orderByMessage();
    const merge = er7(
      'ADT^A40^ADT_A39',
      'EVN||20260316090000',
      'PID|1||MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR||Muster^Anna^^^^^L||19510714|F',
      'MRG|MRN-778812^^^HOSP&1.2.3.4.5.6&ISO^MR',
    );
    expect(await applyMessage(ground, caller, merge)).toEqual([
      expect.objectContaining({ severity: 'warning', code: 'patient.unknown' }),
    ]);
    const announced = er7(
      'ADT^A31^ADT_A05',
      'EVN||20260316090000',
      'PID|1||MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR||Muster^Anna^^^^^L||19510714|F',
      'PV1|1|N',
    );
    expect(await applyMessage(ground, caller, announced)).toEqual([]);
    const [survivor] = await ground
      .get(FhirRecords)
      .findByIdentifier<Patient>(caller, 'Patient', [{ system: PATIENT_NUMBERS, value: 'MRN-1' }]);
    expect(await headingOfJob({ ...job, patientId: survivor!.id! }, 'MRN-1')).toMatchObject({
      patientName: 'Muster, Anna',
      patientNumber: 'MRN-1 (HOSP)',
      orderer: 'Petra Pflege',
      facility: 'Clinic, W3 301 1 HOSP',
    });
    expect(await headingOfJob({ ...job, patientId: survivor!.id! })).toMatchObject({ patientNumber: 'MRN-1 (HOSP)' });
  });
});

describe('who and where, as resources say', () => {
  it('is what the patient’s record says, whichever door knew the number first', async () => {
    const patientId = await known('MRN-1');
    const patient = { system: PATIENT_NUMBERS, value: 'MRN-1' };
    await ground.post<Patient>(
      caller,
      patientOf('MRN-1', {
        birthDate: '1951-07',
        name: [
          { use: 'maiden', family: 'Muster', given: ['Anna'] },
          { use: 'usual', text: 'Anni B.' },
          { use: 'official', family: 'Beispiel', given: ['Anna', 'Maria'], prefix: ['Dr.'], suffix: ['Jr.'] },
        ],
      }),
    );
    expect(await headingOf({ patientId, patient })).toEqual({
      ...NOTHING,
      patientName: 'Beispiel Jr., Anna Maria',
      birthDate: '1951-07',
      patientNumber: 'MRN-1',
    });
  });

  it.each<[string, NonNullable<Patient['name']>, string | null]>([
    [
      'the usual name where there is no official one',
      [
        { use: 'nickname', text: 'Anni' },
        { use: 'usual', text: 'Anna B.' },
      ],
      'Anna B.',
    ],
    [
      'a name as its sender writes it',
      [{ text: 'Anna Beispiel', family: 'Beispiel', given: ['Anna'] }],
      'Anna Beispiel',
    ],
    ['a family name alone', [{ family: 'Beispiel' }], 'Beispiel'],
    ['a given name alone', [{ given: ['Anna'] }], 'Anna'],
    ['one line of a name that fills pages', [{ text: `Anna\n  ${'B'.repeat(500)}` }], `Anna ${'B'.repeat(115)}…`],
    ['nothing where the name has no text', [{ use: 'official', prefix: ['Dr.'] }], null],
  ])('is %s', async (_, name, written) => {
    const { id } = (await ground.post<Patient>(caller, patientOf('MRN-1', { name }))).resource;
    expect(await headingOf({ patientId: id! })).toMatchObject({ patientName: written });
  });

  it.each<[string, (patientId: string) => Promise<Partial<ServiceRequest>>, string | null]>([
    [
      'a practitioner’s record',
      async () => ({ requester: { reference: `Practitioner/${await practitioner()}` } }),
      'Dr. Petra Pflege',
    ],
    [
      'a practitioner inside the order',
      () =>
        Promise.resolve({
          contained: [{ resourceType: 'Practitioner', id: 'p', name: [{ family: 'Pflege', given: ['Petra'] }] }],
          requester: { reference: '#p' },
        }),
      'Petra Pflege',
    ],
    [
      'what the order itself calls them',
      async () => ({ requester: { reference: `Practitioner/${await practitioner()}`, display: 'Sr. Petra' } }),
      'Sr. Petra',
    ],
    [
      'nobody, where only a number is given',
      () => Promise.resolve({ requester: { type: 'Practitioner', identifier: { value: '31' } } }),
      null,
    ],
    [
      'nobody, where the patient asked for it',
      (patientId) => Promise.resolve({ requester: { reference: `Patient/${patientId}` } }),
      null,
    ],
  ])('names as orderer %s', async (_, more, orderer) => {
    const { id } = (await ground.post<Patient>(caller, patientOf('MRN-1'))).resource;
    const order = await ground.post<ServiceRequest>(caller, orderOf(id!, await more(id!)));
    await ground.post(
      caller,
      mediaOf({ contentType: 'image/jpeg', data: photo }, { patientId: id!, orderId: order.resource.id! }),
    );
    expect(await headingOfJob((await ground.jobs(caller))[0]!)).toMatchObject({ orderer });
  });
});

it('has the organization’s time zone, and the service’s where it has none', async () => {
  expect(await headingOf({}, await ground.createCaller('pro', { timeZone: 'Europe/Berlin' }))).toMatchObject({
    timeZone: 'Europe/Berlin',
  });
  expect(await headingOf({})).toMatchObject({ timeZone: 'UTC' });
});

async function practitioner(): Promise<string> {
  const { resource } = await ground.post<Practitioner>(caller, {
    resourceType: 'Practitioner',
    name: [{ prefix: ['Dr.'], given: ['Petra'], family: 'Pflege' }],
  });
  return resource.id!;
}
