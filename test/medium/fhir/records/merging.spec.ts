import type { Condition, Parameters, Patient, Reference, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { NO_PREFERENCES } from '../../../../src/doors/fhir/call/preferences.js';
import { MergeOperation } from '../../../../src/doors/fhir/operations/merge.operation.js';
import { ResourceSearch } from '../../../../src/doors/fhir/search/resource-search.js';
import { BASE, IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, PATIENT_NUMBERS, patientOf, woundOf } from '../../../support/intake-resources.js';

let ground: IntakeGround;
let caller: Caller;
let prior: string;
let survivor: string;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
  [prior, survivor] = [await idOf(patientOf('OLD')), await idOf(patientOf('NEW'))];
});

const idOf = async (resource: Resource) => (await ground.post(caller, resource)).resource.id!;
const to = (id: string): Reference<Patient> => ({ reference: `Patient/${id}` });
const read = (id: string) => ground.find<Patient>(caller, 'Patient', id);
const putLinked = async (id: string, other: string, by = caller) =>
  ground.put<Patient>(by, { ...(await read(id)), link: [{ other: to(other), type: 'replaced-by' }] });
const parameters = (...parameter: NonNullable<Parameters['parameter']>): Parameters => ({
  resourceType: 'Parameters',
  parameter,
});
const sides = (source: string, target: string): NonNullable<Parameters['parameter']> => [
  { name: 'source-patient', valueReference: to(source) },
  { name: 'target-patient', valueReference: to(target) },
];
const merge = async (input: Parameters, by = caller) =>
  (
    await ground.get(MergeOperation).handle({
      caller: by,
      base: BASE,
      requestId: v7(),
      level: 'type',
      type: 'Patient',
      id: null,
      input,
      query: new URLSearchParams(),
      preferences: NO_PREFERENCES,
      ifMatch: undefined,
      idempotencyKey: null,
    })
  ).body as Parameters;
const carrier = (value: string) =>
  ground.within(caller, async ({ transaction }) => {
    const identifiers = [{ system: PATIENT_NUMBERS, value }];
    return (await ground.get(PatientRepository).carriers(transaction, identifiers))[0];
  });
const ofPatient = (type: 'Condition' | 'Media', id: string) =>
  ground.within(caller, async (call) =>
    (await ground.get(ResourceSearch).match(call, type, `patient=Patient/${id}`, 50)).map(
      ({ resource }) => resource.id,
    ),
  );

/** What is filed under the patient: a diagnosis and a photo of a wound. */
async function chartOf(patient: string) {
  const condition: Condition = {
    resourceType: 'Condition',
    subject: to(patient),
    code: { text: 'Ulcer' },
  } as Condition;
  const wound = await idOf(woundOf(patient));
  return {
    condition: await idOf(condition),
    photo: await idOf(mediaOf({ data: await photoData() }, { patientId: patient, woundId: wound })),
  };
}

/** Nothing moved. */
async function expectApart(): Promise<void> {
  expect([await carrier('OLD'), await carrier('NEW')]).toEqual([prior, survivor]);
}

describe('a merge is refused', () => {
  const unknown = v7();
  it.each<[string, string, () => Promise<unknown>]>([
    ['into itself', 'fhir.business_rule', () => putLinked(prior, prior)],
    ['into itself by $merge', 'fhir.business_rule', () => merge(parameters(...sides(prior, prior)))],
    ['into nobody', 'fhir.reference', () => putLinked(prior, unknown)],
    ['into nobody by $merge', 'request.invalid', () => merge(parameters(...sides(prior, unknown)))],
    ['of nobody', 'request.invalid', () => merge(parameters(...sides(unknown, survivor)))],
    ['without a target', 'request.invalid', () => merge(parameters(sides(prior, survivor)[0]!))],
    [
      'where reference and identifier are two patients’',
      'request.invalid',
      () =>
        merge(
          parameters(...sides(prior, survivor), {
            name: 'source-patient-identifier',
            valueIdentifier: { system: PATIENT_NUMBERS, value: 'NEW' },
          }),
        ),
    ],
    [
      'with a result of its own',
      'request.invalid',
      () => merge(parameters(...sides(prior, survivor), { name: 'result-patient', resource: patientOf() })),
    ],
    [
      'with a word for preview that is none',
      'request.invalid',
      () => merge(parameters(...sides(prior, survivor), { name: 'preview', valueString: 'maybe' })),
    ],
    [
      'by a key that does not review',
      'auth.scope',
      () => putLinked(prior, survivor, { ...caller, scopes: ['images:write', 'analysis:read'] }),
    ],
    [
      'into a patient of another organization',
      'fhir.reference',
      async () => {
        const other = await ground.createCaller();
        return putLinked(prior, (await ground.post(other, patientOf('NEW'))).resource.id!);
      },
    ],
  ])('%s', async (_, code, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code });
    await expectApart();
  });

  it('in a circle, into one that was merged, and of one that was merged elsewhere', async () => {
    const third = await idOf(patientOf('THIRD'));
    await putLinked(prior, survivor);
    await expect(putLinked(survivor, prior)).rejects.toMatchObject({ code: 'fhir.business_rule' });
    await expect(putLinked(third, prior)).rejects.toMatchObject({ code: 'fhir.business_rule' });
    await expect(merge(parameters(...sides(prior, third)))).rejects.toMatchObject({ code: 'fhir.business_rule' });
    const { link: _link, ...unlinked } = await read(prior);
    await expect(ground.put<Patient>(caller, unlinked)).rejects.toMatchObject({ code: 'fhir.business_rule' });
    expect([await carrier('OLD'), await carrier('THIRD')]).toEqual([survivor, third]);
  });
});

describe('a merge', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['by an update with a link', () => putLinked(prior, survivor)],
    [
      'by a patch with a link',
      () =>
        ground.patch(caller, 'Patient', prior, [
          { op: 'add', path: '/link', value: [{ other: to(survivor), type: 'replaced-by' }] },
        ]),
    ],
    ['by $merge', () => merge(parameters(...sides(prior, survivor)))],
    [
      'by $merge with identifiers',
      () =>
        merge(
          parameters(
            { name: 'source-patient-identifier', valueIdentifier: { system: PATIENT_NUMBERS, value: 'OLD' } },
            { name: 'target-patient-identifier', valueIdentifier: { system: PATIENT_NUMBERS, value: 'NEW' } },
          ),
        ),
    ],
  ])('%s moves everything to the one that stands, with a Provenance', async (_, join) => {
    const { condition, photo } = await chartOf(prior);
    await join();
    expect(await read(prior)).toMatchObject({
      active: false,
      identifier: [{ value: 'OLD', use: 'old' }],
      link: [{ other: to(survivor), type: 'replaced-by' }],
    });
    expect((await read(survivor)).link).toEqual([{ other: to(prior), type: 'replaces' }]);
    expect(await carrier('OLD')).toBe(survivor);
    expect([await ofPatient('Condition', survivor), await ofPatient('Media', survivor)]).toEqual([
      [condition],
      [photo],
    ]);
    expect([await ofPatient('Condition', prior), await ofPatient('Media', prior)]).toEqual([[], []]);
    expect(await ground.count('fhir_resources', caller, `type = 'Provenance'`)).toBe(1);
  });

  it('that is only previewed says what would stand, and changes nothing', async () => {
    const shown = await merge(parameters(...sides(prior, survivor), { name: 'preview', valueBoolean: true }));
    expect(shown.parameter?.find(({ name }) => name === 'result')?.resource).toMatchObject({
      id: survivor,
      link: [{ other: to(prior) }],
    });
    await expectApart();
  });

  it('that is repeated changes nothing', async () => {
    await putLinked(prior, survivor);
    const versions = await ground.count('fhir_versions', caller);
    await putLinked(prior, survivor);
    const again = await merge(parameters(...sides(prior, survivor)));
    expect(again.parameter?.map(({ name }) => name)).toEqual(['input', 'outcome', 'result']);
    expect(await ground.count('fhir_versions', caller)).toBe(versions);
  });

  it('of a patient who comes as one that was replaced ends it at once', async () => {
    const id = await idOf(patientOf('THIRD', { link: [{ other: to(survivor), type: 'replaced-by' }] }));
    expect(await carrier('THIRD')).toBe(survivor);
    expect(await read(id)).toMatchObject({ active: false });
  });

  it('into a record of another server is kept as a link, and joins nothing', async () => {
    const link: Patient['link'] = [{ other: { reference: 'https://ehr.example/fhir/Patient/7' }, type: 'replaced-by' }];
    await ground.put<Patient>(caller, { ...(await read(prior)), link });
    expect((await read(prior)).link).toEqual(link);
    await expectApart();
  });
});
