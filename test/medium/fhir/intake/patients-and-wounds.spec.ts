import type { BodyStructure, Patient } from '@medplum/fhirtypes';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { WoundRepository } from '../../../../src/core/followup/wound.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { PATIENT_NUMBERS, patientOf, WOUND_NUMBERS, woundOf } from '../../../support/intake-resources.js';

let ground: IntakeGround;
let caller: Caller;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const patientIn = (id: string) =>
  ground.within(caller, ({ transaction }) => ground.get(PatientRepository).find(transaction, id));
const woundIn = (id: string) =>
  ground.within(caller, ({ transaction }) => ground.get(WoundRepository).find(transaction, id));
const resolve = (value: string) =>
  ground.within(caller, ({ transaction }) =>
    ground
      .get(PatientRepository)
      .resolve(transaction, { system: PATIENT_NUMBERS, value }, '01997f2e-0000-7000-8000-00000000beef'),
  );

describe('a Patient', () => {
  it('is refused with identifiers of two patients, and leaves both as they were', async () => {
    const [first, second] = [await ground.post(caller, patientOf('A')), await ground.post(caller, patientOf('B'))];
    const both = ['A', 'B'].map((value) => ({ system: PATIENT_NUMBERS, value }));
    await expect(ground.post(caller, patientOf(null, { identifier: both }))).rejects.toMatchObject({
      code: 'fhir.duplicate',
    });
    await expect(ground.put(caller, { ...first.resource, identifier: both } as Patient)).rejects.toMatchObject({
      code: 'fhir.duplicate',
    });
    expect((await patientIn(first.resource.id!))!.identifiers).toEqual([{ system: PATIENT_NUMBERS, value: 'A' }]);
    expect((await patientIn(second.resource.id!))!.identifiers).toEqual([{ system: PATIENT_NUMBERS, value: 'B' }]);
  });

  it('is refused where it would become another person’s record, and takes a correction of one thing at a time', async () => {
    const said = { name: [{ family: 'Meier', given: ['Anna'] }], birthDate: '1950-01-01' };
    const other = { name: [{ family: 'Schulz', given: ['Bernd'] }], birthDate: '1980-12-31' };
    const { resource } = await ground.post(caller, patientOf('A', said));
    await expect(ground.put(caller, { ...(resource as Patient), ...other })).rejects.toMatchObject({
      code: 'identity.conflict',
    });
    await ground.put(caller, { ...(resource as Patient), birthDate: other.birthDate });
    await ground.put(caller, { ...(resource as Patient), ...other });
    expect(await ground.get(FhirRecords).read<Patient>(caller, 'Patient', resource.id!)).toMatchObject(other);
  });

  it('is refused a second time, by its identifier', async () => {
    await ground.post(caller, patientOf('A'));
    await expect(ground.post(caller, patientOf('A'))).rejects.toMatchObject({ code: 'fhir.duplicate' });
  });

  it('is refused with an identifier that is too long to be kept', async () => {
    await expect(ground.post(caller, patientOf('x'.repeat(256)))).rejects.toMatchObject({ code: 'fhir.business_rule' });
  });

  it('is the row that a native job made for the same identifier, with all identifiers then, behind the one that it was filed under', async () => {
    const known = await resolve('A');
    const identifier = [
      { system: 'urn:oid:2.9', value: 'INS-7' },
      { system: PATIENT_NUMBERS, value: 'A' },
      { value: '12' },
    ];
    const { resource } = await ground.post(caller, patientOf(null, { identifier }));
    expect(resource.id).toBe(known);
    expect((await patientIn(known))!.identifiers).toEqual([
      { system: PATIENT_NUMBERS, value: 'A' },
      { system: 'urn:oid:2.9', value: 'INS-7' },
      { system: '', value: '12' },
    ]);
  });

  it('of another organization is another patient', async () => {
    const { resource } = await ground.post(caller, patientOf('A'));
    const other = await ground.post(await ground.createCaller(), patientOf('A'));
    expect(other.resource.id).not.toBe(resource.id);
    expect(
      await ground.within(await ground.createCaller(), ({ transaction }) =>
        ground.get(PatientRepository).find(transaction, resource.id!),
      ),
    ).toBeNull();
  });

  it('without an identifier is known by its own id', async () => {
    const { resource } = await ground.post(caller, patientOf(null, { name: [{ family: 'Example' }] }));
    expect((await patientIn(resource.id!))!.identifiers).toEqual([
      { system: 'https://sutura.dev/fhir/sid/patient', value: resource.id },
    ]);
    expect(resource).not.toHaveProperty('identifier');
  });

  it('may have a social security number that another has, and is found by both, and known by neither’s', async () => {
    const shared = {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'SS' }] },
      system: 'urn:oid:2.999',
      value: '000-00-0000',
    };
    const first = await ground.post(
      caller,
      patientOf(null, { identifier: [shared, { system: PATIENT_NUMBERS, value: 'A' }] }),
    );
    const second = await ground.post(
      caller,
      patientOf(null, { identifier: [shared, { system: PATIENT_NUMBERS, value: 'B' }] }),
    );
    expect((await patientIn(first.resource.id!))!.identifiers).toEqual([{ system: PATIENT_NUMBERS, value: 'A' }]);
    expect(second.resource.id).not.toBe(first.resource.id);
    expect(await ground.put(caller, { ...first.resource, name: [{ family: 'Example' }] } as Patient)).toMatchObject({
      identifier: [{ value: '000-00-0000' }, { value: 'A' }],
    });
  });

  it('is known by the numbers of an update, first of all and in their order; one that was corrected may be another’s', async () => {
    const { resource } = await ground.post(
      caller,
      patientOf(null, {
        identifier: [
          { system: PATIENT_NUMBERS, value: 'A' },
          { system: 'urn:oid:2.9', value: 'N-1' },
        ],
      }),
    );
    const wound = await ground.post(caller, woundOf(resource.id!));
    await ground.put(caller, { ...resource, identifier: [{ system: PATIENT_NUMBERS, value: 'C' }] } as Patient);
    expect((await patientIn(resource.id!))!.identifiers.map(({ value }) => value)).toEqual(['C', 'N-1']);
    expect((await woundIn(wound.resource.id!))!.patient).toEqual({ system: PATIENT_NUMBERS, value: 'C' });
    expect(await resolve('C')).toBe(resource.id);
    expect((await ground.post(caller, patientOf('A'))).resource.id).not.toBe(resource.id);
  });

  it('posted by ten at once is one row', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => ground.post(caller, patientOf('P'))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await ground.count('patients', caller)).toBe(1);
  });
});

describe('a BodyStructure', () => {
  let person: string;
  beforeEach(async () => {
    person = (await ground.post(caller, patientOf())).resource.id!;
  });

  it.each([
    ['nobody of this server', { reference: 'https://elsewhere.example/fhir/Patient/1' }, 'fhir.business_rule'],
    [
      'somebody by a number that nobody has',
      { identifier: { system: PATIENT_NUMBERS, value: 'X' } },
      'fhir.business_rule',
    ],
    ['somebody unknown', { reference: 'Patient/01997f2e-0000-7000-8000-00000000dead' }, 'fhir.reference'],
  ])('of %s is refused', async (_, patient, code) => {
    await expect(ground.post(caller, { ...woundOf(person), patient } as BodyStructure)).rejects.toMatchObject({ code });
  });

  it('is of the patient who has the number that it names', async () => {
    const patient = { identifier: { system: PATIENT_NUMBERS, value: 'MRN-1' } };
    const { resource } = await ground.post(caller, { ...woundOf(person), patient } as BodyStructure);
    expect(resource.patient).toEqual({ reference: `Patient/${person}`, ...patient });
  });

  it('is the wound that its patient and number name, described by what it says', async () => {
    const location = {
      coding: [{ system: 'http://snomed.info/sct', code: '84607009', display: 'Heel' }],
      text: 'Left heel',
    };
    const locationQualifier = [{ coding: [{ system: 'http://snomed.info/sct', code: '419161000' }] }];
    const { resource } = await ground.post(
      caller,
      woundOf(person, 'W-1', { location, locationQualifier, morphology: { text: 'Pressure sore' } }),
    );
    expect(await woundIn(resource.id!)).toMatchObject({
      patientId: person,
      patient: { system: PATIENT_NUMBERS, value: 'MRN-1' },
      woundIdSystem: WOUND_NUMBERS,
      woundId: 'W-1',
      bodySite: { system: 'http://snomed.info/sct', code: '84607009', display: 'Heel' },
      laterality: 'left',
      woundType: { display: 'Pressure sore' },
      status: 'open',
    });
  });

  it('of the same number on another patient is another wound', async () => {
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const [mine, theirs] = [await ground.post(caller, woundOf(person)), await ground.post(caller, woundOf(other))];
    expect(mine.resource.id).not.toBe(theirs.resource.id);
    await expect(ground.post(caller, woundOf(person))).rejects.toMatchObject({ code: 'fhir.duplicate' });
  });

  it('without a number is known by its own id, so that two of them stay two', async () => {
    const [first, second] = [
      await ground.post(caller, woundOf(person, null)),
      await ground.post(caller, woundOf(person, null)),
    ];
    expect(first.resource.id).not.toBe(second.resource.id);
    expect(await woundIn(first.resource.id!)).toMatchObject({
      woundIdSystem: 'https://sutura.dev/fhir/sid/wound',
      woundId: first.resource.id,
    });
  });

  it('keeps its patient, and is described anew', async () => {
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const { resource } = await ground.post(caller, woundOf(person));
    await expect(
      ground.put(caller, { ...resource, patient: { reference: `Patient/${other}` } } as BodyStructure),
    ).rejects.toMatchObject({ code: 'fhir.subject_fixed' });
    await ground.put(caller, { ...resource, location: { text: 'Right heel' }, active: false } as BodyStructure);
    expect(await woundIn(resource.id!)).toMatchObject({
      bodySite: { display: 'Right heel' },
      status: 'open',
      patientId: person,
    });
  });
});
