import type { Observation } from '@medplum/fhirtypes';
import { AnalysisRequestRepository as OrderedRequests } from '../../../../src/core/analysis/analysis-request.repository.js';
import { ImageService } from '../../../../src/core/images/image.service.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf, woundOf } from '../../../support/intake-resources.js';

const LOINC = 'http://loinc.org';
const WOUND_OBSERVATION = 'https://sutura.dev/fhir/CodeSystem/wound-observation';
const TAKEN = '2026-03-15T09:40:00+01:00';
const NOTED = '2026-03-15T09:38:00+01:00';
const UCUM_CM = { unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' };

let ground: IntakeGround;
let caller: Caller;
let person: string;
let photo: string;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
  person = (await ground.post(caller, patientOf())).resource.id!;
  const wanted = { contentType: null, contentLength: null, sha256: null };
  photo = (await ground.get(ImageService).requestUpload(caller, wanted)).image.id;
  const taken = { createdDateTime: TAKEN };
  await ground.post(caller, mediaOf({ url: `urn:sutura:image:${photo}` }, { patientId: person }, taken));
  await ground.post(caller, orderOf(person, { supportingInfo: [{ reference: `Media/${photo}` }] }));
});

function findingOf(code: object, more: Partial<Observation>): Observation {
  return {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [code] },
    subject: { reference: `Patient/${person}` },
    effectiveDateTime: NOTED,
    derivedFrom: [{ reference: `Media/${photo}` }],
    ...more,
  } as Observation;
}
function tunnel(number: number, more: Partial<Observation> = {}): Observation {
  const clock = { code: { coding: [{ system: LOINC, code: '72297-5' }] }, valueInteger: (number % 12) + 1 };
  const valueQuantity = { value: number / 10, ...UCUM_CM };
  return findingOf({ system: LOINC, code: '72296-7' }, { valueQuantity, component: [clock] as never, ...more });
}
function signs(count: number): Observation {
  const code = { system: WOUND_OBSERVATION, code: 'infection-signs' };
  const component = Array.from({ length: count }, (_, index) => ({
    code: { coding: [code] },
    valueString: `sign ${index + 1}`,
  }));
  return findingOf(code, { component });
}
const wish = async () =>
  (await ground.within(caller, ({ transaction }) => ground.get(OrderedRequests).listOfImage(transaction, photo)))[0]!
    .options.clinicianObservations;
const sendTunnels = async (from: number, to: number, more: Partial<Observation> = {}): Promise<Observation[]> => {
  const sent: Observation[] = [];
  for (let number = from; number <= to; number += 1)
    sent.push((await ground.post(caller, tunnel(number, more))).resource);
  return sent;
};

describe('a list that clinicians state', () => {
  it('of thirteen signs in one Observation is refused, with the place and the limit', async () => {
    await expect(ground.post(caller, signs(13))).rejects.toMatchObject({
      code: 'fhir.business_rule',
      issues: [{ expression: 'Observation.component', details: expect.stringMatching(/infectionSigns.*12 entries/) }],
    });
    expect(await wish()).toBeNull();
  });

  it('is refused a thirteenth tunnel of one moment, and keeps the twelve before', async () => {
    const [first] = await sendTunnels(1, 12);
    await expect(ground.post(caller, tunnel(13))).rejects.toMatchObject({
      code: 'fhir.business_rule',
      issues: [{ expression: 'Observation', details: expect.stringMatching(/tunnelling.*12 entries/) }],
    });
    expect((await wish())?.tunnelling).toHaveLength(12);
    await ground.put(caller, { ...first!, status: 'entered-in-error' });
    await ground.post(caller, tunnel(13));
    expect((await wish())?.tunnelling).toContainEqual({ clock: 2, depthCm: 1.3 });
  });

  it('is refused a correction that makes it thirteen', async () => {
    await sendTunnels(1, 12);
    const earlier = (await ground.post(caller, tunnel(13, { effectiveDateTime: '2026-03-15T08:00:00+01:00' })))
      .resource;
    await expect(ground.put(caller, { ...earlier, effectiveDateTime: NOTED })).rejects.toMatchObject({
      code: 'fhir.business_rule',
    });
  });

  it('is refused a thirteenth for the wound of the day as for a photo', async () => {
    const wound = (await ground.post(caller, woundOf(person))).resource.id!;
    const ofWound = { derivedFrom: undefined, focus: [{ reference: `BodyStructure/${wound}` }] } as never;
    await sendTunnels(1, 12, ofWound);
    await expect(ground.post(caller, tunnel(13, ofWound))).rejects.toMatchObject({ code: 'fhir.business_rule' });
  });

  it('of two senders at once ends at twelve, and one of them is told', async () => {
    await sendTunnels(1, 11);
    const both = await Promise.allSettled([ground.post(caller, tunnel(12)), ground.post(caller, tunnel(13))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('of twelve is whole in the analysis, and one that says the same again adds nothing', async () => {
    await sendTunnels(1, 12);
    await ground.post(caller, tunnel(12));
    await ground.post(caller, signs(12));
    const stated = await wish();
    expect([stated?.tunnelling?.length, stated?.infectionSigns?.length]).toEqual([12, 12]);
  });

  it('stays whole beside many findings of other moments', async () => {
    for (let hour = 0; hour < 5; hour += 1)
      await sendTunnels(1, 12, { effectiveDateTime: `2026-03-15T0${hour}:00:00+01:00` });
    await sendTunnels(21, 32);
    expect((await wish())?.tunnelling?.map(({ depthCm }) => depthCm)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index + 21) / 10),
    );
  });
});
