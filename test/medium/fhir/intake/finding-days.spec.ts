import type { Media, Observation } from '@medplum/fhirtypes';
import { AnalysisRequestRepository as OrderedRequests } from '../../../../src/core/analysis/analysis-request.repository.js';
import type { AnalysisOptions } from '../../../../src/core/analysis/analysis-request.js';
import { ImageService } from '../../../../src/core/images/image.service.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf, woundOf } from '../../../support/intake-resources.js';

const UCUM_CM = { unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' };

let ground: IntakeGround;
let caller: Caller;
let person: string;
let wound: string;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(() => clinicIn(null));

async function clinicIn(timeZone: string | null): Promise<void> {
  caller = await ground.createCaller('pro', { timeZone });
  person = (await ground.post(caller, patientOf())).resource.id!;
  wound = (await ground.post(caller, woundOf(person))).resource.id!;
}

const depth = (cm: number, effectiveDateTime: string, more: Partial<Observation> = {}) =>
  ground.post(caller, {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '39127-6' }] },
    subject: { reference: `Patient/${person}` },
    focus: [{ reference: `BodyStructure/${wound}` }],
    effectiveDateTime,
    valueQuantity: { value: cm, ...UCUM_CM },
    ...more,
  } as Observation);

/** A photo of the wound; null: without a time. */
async function photo(createdDateTime: string | null): Promise<string> {
  const wanted = { contentType: null, contentLength: null, sha256: null };
  const { id } = (await ground.get(ImageService).requestUpload(caller, wanted)).image;
  const taken: Partial<Media> = createdDateTime === null ? {} : { createdDateTime };
  await ground.post(caller, mediaOf({ url: `urn:sutura:image:${id}` }, { patientId: person, woundId: wound }, taken));
  return id;
}

async function ordered(imageId: string): Promise<AnalysisOptions> {
  await ground.post(caller, orderOf(person, { supportingInfo: [{ reference: `Media/${imageId}` }] }));
  const find = ground.get(OrderedRequests);
  return (await ground.within(caller, ({ transaction }) => find.listOfImage(transaction, imageId)))[0]!.options;
}

describe('a depth that is stated of a wound', () => {
  it.each(['-11:00', '-08:00', '-05:00', '+00:00', '+01:00', '+05:30', '+10:00', '+14:00'])(
    'goes with the photo of that evening at %s, and not with the one of the evening after',
    async (offset) => {
      await depth(0.2, `2026-03-17T17:00:00${offset}`);
      await depth(0.9, `2026-03-18T20:35:00${offset}`);
      const first = await ordered(await photo(`2026-03-17T17:10:00${offset}`));
      const second = await ordered(await photo(`2026-03-18T20:30:00${offset}`));
      expect([first, second].map(({ clinicianObservations }) => clinicianObservations)).toEqual([
        { depthCm: 0.2 },
        { depthCm: 0.9 },
      ]);
    },
  );

  it.each([
    ['2026-03-18T00:10:00+10:00', '2026-03-18'],
    ['2026-03-18T23:50:00-08:00', '2026-03-18'],
    ['2026-03-18', '2026-03-18'],
  ])('for a day goes with the photo of that day (%s)', async (taken, day) => {
    await depth(0.2, '2026-03-17');
    await depth(0.9, day);
    await depth(0.5, '2026-03-19');
    expect((await ordered(await photo(taken))).clinicianObservations).toEqual({ depthCm: 0.9 });
  });

  it('for a day goes with the photo of that day by the clocks of the organization, where the photo is in UTC', async () => {
    await clinicIn('America/Los_Angeles');
    await depth(0.9, '2026-03-18');
    await depth(0.2, '2026-03-19');
    expect((await ordered(await photo('2026-03-19T05:30:00Z'))).clinicianObservations).toEqual({ depthCm: 0.9 });
  });

  it('a few hours before midnight says so with the photo of the morning after', async () => {
    await depth(0.9, '2026-03-17T22:00:00+01:00');
    expect((await ordered(await photo('2026-03-18T08:00:00+01:00'))).clinicianObservations).toEqual({
      depthCm: 0.9,
      statedAt: { depthCm: '2026-03-17T22:00:00+01:00' },
    });
  });

  it('on the day of the photo goes before a later one of another day', async () => {
    await depth(0.9, '2026-03-17T23:00:00+01:00');
    await depth(0.4, '2026-03-18T02:00:00+01:00');
    expect((await ordered(await photo('2026-03-17T23:10:00+01:00'))).clinicianObservations).toEqual({ depthCm: 0.9 });
  });

  it('goes with the nearer of two photos', async () => {
    const morning = await photo('2026-03-18T08:00:00+01:00');
    const evening = await photo('2026-03-18T18:00:00+01:00');
    await depth(0.9, '2026-03-18T17:00:00+01:00');
    expect([(await ordered(morning)).clinicianObservations, (await ordered(evening)).clinicianObservations]).toEqual([
      null,
      { depthCm: 0.9 },
    ]);
  });

  it('the day before a photo that it names keeps its own day', async () => {
    const imageId = await photo('2026-03-18T08:00:00+01:00');
    const options = await ordered(imageId);
    expect(options.clinicianObservations).toBeNull();
    await depth(0.9, '2026-03-17', { derivedFrom: [{ reference: `Media/${imageId}` }], focus: undefined as never });
    expect((await ordered(imageId)).clinicianObservations).toEqual({
      depthCm: 0.9,
      statedAt: { depthCm: '2026-03-17' },
    });
  });
});

describe('the time of a photo', () => {
  it.each([
    ['2026-03-18', 'America/New_York', '2026-03-18T04:00:00.000Z'],
    ['2026-03-18', 'Europe/Berlin', '2026-03-17T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03', 'Pacific/Kiritimati', '2026-02-28T10:00:00.000Z'],
    ['2026', 'Pacific/Pago_Pago', '2026-01-01T11:00:00.000Z'],
    ['2026-03-18T00:30:00+05:30', 'Europe/Berlin', '2026-03-17T19:00:00.000Z'],
    // The first day that FHIR has, which a camera without a clock may state.
    ['0001-01-01', 'UTC', '0001-01-01T00:00:00.000Z'],
  ])('%s in %s stays so, and is put in order by %s', async (stated, timeZone, capturedAt) => {
    await clinicIn(timeZone);
    expect(await ordered(await photo(stated))).toMatchObject({
      capturedAsStated: stated,
      capturedAt: new Date(capturedAt),
    });
  });

  it('that nobody stated is left to its analysis', async () => {
    expect(await ordered(await photo(null))).toMatchObject({ capturedAsStated: null, capturedAt: null });
  });
});
