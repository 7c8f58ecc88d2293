import type { Bundle, Encounter, Media, Observation, Resource, Task } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import type { OutcomeError } from '../../../../src/standards/fhir/outcome/outcome-error.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, PATIENT_NUMBERS, patientOf, woundOf } from '../../../support/intake-resources.js';

const UCUM = 'http://unitsofmeasure.org';
const LOCAL = 'https://sutura.dev/fhir/CodeSystem/wound-observation';

interface Chart {
  readonly patient: string;
  readonly wound: string;
  readonly order: string;
  readonly encounter: string;
  readonly photo: string;
}

let ground: IntakeGround;
let caller: Caller;
let anna: Chart;
let ben: Chart;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
  [anna, ben] = [await chartOf('MRN-A'), await chartOf('MRN-B')];
});

const encounterOf = (patient: string, more: Partial<Encounter> = {}): Encounter =>
  ({
    resourceType: 'Encounter',
    status: 'finished',
    class: { code: 'AMB' },
    subject: { reference: `Patient/${patient}` },
    ...more,
  }) as Encounter;
const depthOf = (patient: string | null, more: Partial<Observation> = {}): Observation =>
  ({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '39127-6' }] },
    ...(patient === null ? {} : { subject: { reference: `Patient/${patient}` } }),
    effectiveDateTime: '2026-03-15T09:38:00+01:00',
    valueQuantity: { value: 8, unit: 'mm', system: UCUM, code: 'mm' },
    ...more,
  }) as Observation;
const scaleOf = (patient: string, photo: string): Observation =>
  depthOf(patient, {
    code: { coding: [{ system: LOCAL, code: 'pixel-spacing' }] },
    valueQuantity: { value: 0.2, unit: 'mm/pixel', system: UCUM, code: 'mm/{pixel}' },
    derivedFrom: [{ reference: `Media/${photo}` }],
  });
const to = (type: string, id: string) => ({ reference: `${type}/${id}` });

async function chartOf(number: string): Promise<Chart> {
  const id = async (resource: Resource) => (await ground.post(caller, resource)).resource.id!;
  const patient = await id(patientOf(number));
  const wound = await id(woundOf(patient));
  const photo = await id(
    mediaOf(
      { data: await photoData(number.length) },
      { patientId: patient, woundId: wound },
      { createdDateTime: '2026-03-15T09:40:00+01:00' },
    ),
  );
  return {
    patient,
    wound,
    photo,
    order: await id(orderOf(patient, { status: 'draft' })),
    encounter: await id(encounterOf(patient)),
  };
}

async function refusal(attempt: Promise<unknown>): Promise<{ code: string; at: readonly string[] }> {
  try {
    await attempt;
  } catch (fault) {
    return {
      code: (fault as OutcomeError).code,
      at: (fault as OutcomeError).issues.map(({ expression }) => expression),
    };
  }
  throw new Error('It was taken.');
}

describe('what one resource names of two patients', () => {
  it.each<[string, string, () => Promise<Resource>]>([
    [
      'a scale of another patient’s photo',
      'Observation.derivedFrom[0].reference',
      async () => scaleOf(ben.patient, anna.photo),
    ],
    [
      'a depth of another patient’s wound',
      'Observation.focus[0].reference',
      async () => depthOf(ben.patient, { focus: [to('BodyStructure', anna.wound)] }),
    ],
    [
      'a depth in another patient’s encounter',
      'Observation.encounter.reference',
      async () => depthOf(ben.patient, { encounter: to('Encounter', anna.encounter) }),
    ],
    [
      'a depth on another patient’s order',
      'Observation.basedOn[0].reference',
      async () => depthOf(ben.patient, { basedOn: [to('ServiceRequest', anna.order)] }),
    ],
    [
      'a depth whose second photo is another patient’s',
      'Observation.derivedFrom[1].reference',
      async () => depthOf(ben.patient, { derivedFrom: [to('Media', ben.photo), to('Media', anna.photo)] }),
    ],
    [
      'a depth of nobody, of one’s photo and the other’s wound',
      'Observation.focus[0].reference',
      async () => depthOf(null, { derivedFrom: [to('Media', ben.photo)], focus: [to('BodyStructure', anna.wound)] }),
    ],
    [
      'a depth whose patient stands there by number alone',
      'Observation.derivedFrom[0].reference',
      async () =>
        depthOf(null, {
          subject: { identifier: { system: PATIENT_NUMBERS, value: 'MRN-B' } },
          derivedFrom: [to('Media', anna.photo)],
        }),
    ],
    [
      'an order with another patient’s photo',
      'ServiceRequest.supportingInfo[0].reference',
      async () => orderOf(ben.patient, { supportingInfo: [to('Media', anna.photo)] }),
    ],
    [
      'an order with another patient’s wound',
      'ServiceRequest.supportingInfo[0].reference',
      async () => orderOf(ben.patient, { supportingInfo: [to('BodyStructure', anna.wound)] }),
    ],
    [
      'an order in another patient’s encounter',
      'ServiceRequest.encounter.reference',
      async () => orderOf(ben.patient, { encounter: to('Encounter', anna.encounter) }),
    ],
    [
      'a photo on another patient’s order',
      'Media.basedOn[0].reference',
      async () => mediaOf({ data: await photoData(3) }, { patientId: ben.patient, orderId: anna.order }),
    ],
    [
      'a photo in another patient’s encounter',
      'Media.encounter.reference',
      async () =>
        mediaOf(
          { data: await photoData(3) },
          { patientId: ben.patient },
          { encounter: to('Encounter', anna.encounter) },
        ),
    ],
    [
      'a condition in another patient’s encounter',
      'Condition.encounter.reference',
      async () => ({
        resourceType: 'Condition',
        subject: to('Patient', ben.patient),
        code: { text: 'Ulcer' },
        encounter: to('Encounter', anna.encounter),
      }),
    ],
    [
      'an encounter on another patient’s order',
      'Encounter.basedOn[0].reference',
      async () => encounterOf(ben.patient, { basedOn: [to('ServiceRequest', anna.order)] }),
    ],
    [
      'a task about another patient’s photo',
      'Task.focus.reference',
      async () =>
        ({
          resourceType: 'Task',
          status: 'requested',
          intent: 'order',
          code: { coding: [{ code: 'fulfill' }] },
          for: to('Patient', ben.patient),
          focus: to('Media', anna.photo),
        }) as Task,
    ],
    [
      'a document about another patient’s order',
      'DocumentReference.context.related[0].reference',
      async () => ({
        resourceType: 'DocumentReference',
        status: 'current',
        subject: to('Patient', ben.patient),
        content: [{ attachment: { contentType: 'text/plain', data: 'QQ==' } }],
        context: { related: [to('ServiceRequest', anna.order)] },
      }),
    ],
  ])('%s is refused, naming the element', async (_, expression, make) => {
    const before = await ground.count('fhir_resources', caller);
    expect(await refusal(ground.post(caller, await make()))).toEqual({ code: 'fhir.business_rule', at: [expression] });
    expect(await ground.count('fhir_resources', caller)).toBe(before);
  });

  it('is refused in an update and in a patch, too', async () => {
    const { resource } = await ground.post(caller, depthOf(ben.patient, { status: 'preliminary' }));
    const condition = (
      await ground.post(caller, {
        resourceType: 'Condition',
        subject: to('Patient', ben.patient),
        code: { text: 'Ulcer' },
      })
    ).resource;
    expect(resource.id).toBeDefined();
    expect(
      await refusal(ground.put(caller, { ...condition, encounter: to('Encounter', anna.encounter) } as Resource)),
    ).toEqual({ code: 'fhir.business_rule', at: ['Condition.encounter.reference'] });
    expect(
      await refusal(
        ground.patch(caller, 'Media', ben.photo, [
          { op: 'add', path: '/encounter', value: to('Encounter', anna.encounter) },
        ]),
      ),
    ).toEqual({ code: 'fhir.business_rule', at: ['Media.encounter.reference'] });
  });

  it('is refused within a transaction, naming the entry', async () => {
    const entry = (fullUrl: string, resource: Resource) => ({
      fullUrl,
      resource,
      request: { method: 'POST' as const, url: resource.resourceType },
    });
    const bundle: Bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        entry('urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001', patientOf('MRN-C')),
        entry('urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000002', {
          ...encounterOf(anna.patient),
          subject: { reference: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000001' },
        }),
        entry(
          'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000003',
          depthOf(anna.patient, { encounter: { reference: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000002' } }),
        ),
      ],
    };
    expect(await refusal(ground.transact(caller, bundle))).toEqual({
      code: 'fhir.business_rule',
      at: ['Bundle.entry[2].resource.encounter.reference'],
    });
  });
});

describe('what one resource names of one patient', () => {
  it('is taken, whoever else took part in it', async () => {
    const photo = mediaOf(
      { data: await photoData(4) },
      { patientId: anna.patient, woundId: anna.wound, orderId: anna.order },
      { encounter: to('Encounter', anna.encounter), operator: to('Patient', ben.patient) } as Partial<Media>,
    );
    const { resource } = await ground.post(caller, photo);
    await expect(
      ground.post(
        caller,
        depthOf(anna.patient, {
          derivedFrom: [to('Media', resource.id!)],
          focus: [to('BodyStructure', anna.wound)],
          performer: [to('Patient', ben.patient)] as Observation['performer'],
        }),
      ),
    ).resolves.toBeDefined();
    await expect(
      ground.post(caller, encounterOf(anna.patient, { partOf: to('Encounter', ben.encounter) })),
    ).resolves.toBeDefined();
  });

  it('is taken without a subject of its own', async () => {
    await expect(ground.post(caller, depthOf(null, { derivedFrom: [to('Media', anna.photo)] }))).resolves.toBeDefined();
  });
});

describe('a finding whose photo became another patient’s', () => {
  it('does not enter the analysis', async () => {
    await ground.post(caller, scaleOf(anna.patient, anna.photo));
    const media = await ground.find<Media>(caller, 'Media', anna.photo);
    const { extension: _wound, ...rest } = media;
    await ground.put(caller, { ...rest, subject: to('Patient', ben.patient) } as Media);
    await ground.post(caller, orderOf(ben.patient, { supportingInfo: [to('Media', anna.photo)] }));
    expect(await ground.jobs(caller)).toMatchObject([{ patientId: ben.patient, mmPerPixel: null }]);
  });
});
