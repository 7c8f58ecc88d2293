import type { DocumentReference, Media, Observation, Resource } from '@medplum/fhirtypes';
import sharp from 'sharp';
import { ImageService } from '../../../../src/core/images/image.service.js';
import { ObjectStore } from '../../../../src/core/images/object-store.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import type { OutcomeError } from '../../../../src/standards/fhir/outcome/outcome-error.js';
import { createHash } from 'node:crypto';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf } from '../../../support/intake-resources.js';
import { drawWoundPhoto } from '../../../support/wound-photo.js';

const UCUM = 'http://unitsofmeasure.org';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let ground: IntakeGround;
let caller: Caller;
let person: string;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
  person = (await ground.post(caller, patientOf())).resource.id!;
});

const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString();
const to = (type: string, id: string) => ({ reference: `${type}/${id}` });
const spacing = (valueQuantity: object, more: Partial<Observation> = {}): Observation =>
  ({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'https://sutura.dev/fhir/CodeSystem/wound-observation', code: 'pixel-spacing' }] },
    subject: to('Patient', person),
    effectiveDateTime: '2026-03-15T09:38:00+01:00',
    valueQuantity,
    ...more,
  }) as Observation;
const scale = (value: number, code = 'mm/{pixel}') => ({ value, unit: 'mm/pixel', system: UCUM, code });
const photoDocument = (attachment: object, more: Partial<DocumentReference> = {}): DocumentReference =>
  ({
    resourceType: 'DocumentReference',
    status: 'current',
    type: { coding: [{ system: 'http://loinc.org', code: '72170-4' }] },
    subject: to('Patient', person),
    content: [{ attachment: { contentType: 'image/jpeg', ...attachment } }],
    ...more,
  }) as DocumentReference;

async function refusal(attempt: Promise<unknown>): Promise<{ code: string; kind: string; at: readonly string[] }> {
  try {
    await attempt;
  } catch (fault) {
    const { code, kind, issues } = fault as OutcomeError;
    return { code, kind, at: issues.map(({ expression }) => expression) };
  }
  throw new Error('It was taken.');
}

describe('a scale over FHIR', () => {
  it.each([
    ['is pixels a millimetre by its unit, without a code', { value: 2, unit: 'px/mm' }],
    ['has no unit at all', { value: 5 }],
    ['has a unit and no code', { value: 0.2, unit: 'mm/pixel' }],
    ['has the code of another system', { value: 0.2, code: 'mm/{pixel}', system: 'urn:oid:2.999' }],
    ['is in millimetres', scale(0.2, 'mm')],
    ['is in millimetres a millimetre', scale(0.2, 'mm/mm')],
    ['is in pixels a millimetre by its code', scale(5, '{pixel}/mm')],
    ['says pixels a millimetre beside the right code', { ...scale(2), unit: 'px/mm' }],
    ['is zero', scale(0)],
  ])('is refused where it %s', async (_, quantity) => {
    expect(await refusal(ground.post(caller, spacing(quantity)))).toEqual({
      code: 'fhir.business_rule',
      kind: 'unprocessable',
      at: ['Observation.value'],
    });
  });

  it.each([100, 5.01, 0.0049, 0.0001])('of %s mm a pixel is refused as not plausible', async (value) => {
    expect(await refusal(ground.post(caller, spacing(scale(value))))).toEqual({
      code: 'calibration.implausible',
      kind: 'unprocessable',
      at: ['Observation.valueQuantity.value'],
    });
  });

  it('with which its photo shows less than 5 mm is refused as not plausible', async () => {
    const photo = (await ground.post(caller, mediaOf({ data: await photoData() }, { patientId: person }))).resource.id!;
    expect(
      await refusal(ground.post(caller, spacing(scale(0.02), { derivedFrom: [to('Media', photo)] }))),
    ).toMatchObject({ code: 'calibration.implausible' });
  });

  it('with which its photo shows more than 3 m is refused as not plausible', async () => {
    const wide = await drawWoundPhoto({ width: 640, height: 480 });
    const photo = (await ground.post(caller, mediaOf({ data: wide.toString('base64') }, { patientId: person })))
      .resource.id!;
    const shows = (mmPerPixel: number) => spacing(scale(mmPerPixel), { derivedFrom: [to('Media', photo)] });
    expect(await refusal(ground.post(caller, shows(4.7)))).toMatchObject({ code: 'calibration.implausible' });
    await ground.post(caller, shows(4.68));
  });

  it('that turns out not plausible once the photo is there ends the analysis before it is charged, and says why', async () => {
    const imageId = (
      await ground.get(ImageService).requestUpload(caller, { contentType: null, contentLength: null, sha256: null })
    ).image.id;
    await ground.post(caller, mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }));
    await ground.post(caller, spacing(scale(0.02), { derivedFrom: [to('Media', imageId)] }));
    await ground.post(caller, orderOf(person, { supportingInfo: [to('Media', imageId)] }));
    const bytes = await drawWoundPhoto({ width: 160, height: 120 });
    const keepAs = (key: string) => ground.get(ObjectStore).put(key, bytes, 'image/jpeg');
    await ground.get(ImageService).receive(imageId, {
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      head: bytes.subarray(0, 12),
      read: () => Promise.resolve(bytes),
      keepAs,
    });
    await ground.relay();
    expect(await ground.jobs(caller)).toEqual([]);
    expect(await ground.tasks(caller)).toMatchObject([
      { status: 'rejected', statusReason: { coding: [{ code: 'calibration-implausible' }] } },
    ]);
  });

  it.each(['mm/{pixel}', 'mm/{pixels}', 'mm/{px}'])('in %s is that of its photo', async (code) => {
    const photo = (await ground.post(caller, mediaOf({ data: await photoData() }, { patientId: person }))).resource.id!;
    await ground.post(caller, spacing(scale(0.2, code), { derivedFrom: [to('Media', photo)] }));
    await ground.post(caller, orderOf(person, { supportingInfo: [to('Media', photo)] }));
    expect(await ground.jobs(caller)).toMatchObject([{ mmPerPixel: 0.2 }]);
  });
});

describe('a photo or finding of the future', () => {
  it.each<[string, string, () => Promise<Resource>]>([
    [
      'a photo',
      'Media.createdDateTime',
      async () =>
        mediaOf({ data: await photoData() }, { patientId: person }, { createdDateTime: inFuture(6 * MINUTE_MS) }),
    ],
    [
      'a photo of a day that is nowhere yet',
      'Media.createdDateTime',
      async () =>
        mediaOf(
          { data: await photoData() },
          { patientId: person },
          { createdDateTime: inFuture(40 * HOUR_MS).slice(0, 10) },
        ),
    ],
    [
      'a photo of next year',
      'Media.createdDateTime',
      async () => mediaOf({ data: await photoData() }, { patientId: person }, { createdDateTime: '2131' }),
    ],
    [
      'a photo taken over a time to come',
      'Media.createdPeriod.start',
      async () =>
        mediaOf({ data: await photoData() }, { patientId: person }, { createdPeriod: { start: inFuture(HOUR_MS) } }),
    ],
    [
      'a photo document',
      'DocumentReference.content[0].attachment.creation',
      async () => photoDocument({ data: await photoData(), creation: inFuture(HOUR_MS) }),
    ],
    [
      'a photo document by its context',
      'DocumentReference.context.period.start',
      async () => photoDocument({ data: await photoData() }, { context: { period: { start: inFuture(HOUR_MS) } } }),
    ],
    [
      'a photo document by its own date',
      'DocumentReference.date',
      async () => photoDocument({ data: await photoData() }, { date: inFuture(HOUR_MS) }),
    ],
    [
      'a finding',
      'Observation.effectiveDateTime',
      async () => spacing(scale(0.2), { effectiveDateTime: inFuture(HOUR_MS) }),
    ],
  ])('is refused: %s', async (_, expression, make) => {
    expect(await refusal(ground.post(caller, await make()))).toEqual({
      code: 'capture.future',
      kind: 'unprocessable',
      at: [expression],
    });
    expect(await ground.count('images', caller, `status = 'stored'`)).toBe(0);
  });

  it('is refused in an update and in a patch, too', async () => {
    const { resource } = await ground.post(
      caller,
      mediaOf({ data: await photoData() }, { patientId: person }, { createdDateTime: '2026-03-15' }),
    );
    expect(await refusal(ground.put(caller, { ...resource, createdDateTime: inFuture(HOUR_MS) }))).toMatchObject({
      code: 'capture.future',
    });
    expect(
      await refusal(
        ground.patch(caller, 'Media', resource.id!, [{ op: 'replace', path: '/createdDateTime', value: '2131-01-01' }]),
      ),
    ).toMatchObject({ code: 'capture.future' });
  });

  it('is taken within the skew of clocks, and on a day that has begun somewhere', async () => {
    const post = async (createdDateTime: string) =>
      (await ground.post(caller, mediaOf({ data: await photoData() }, { patientId: person }, { createdDateTime })))
        .resource as Media;
    await expect(post(inFuture(4 * MINUTE_MS))).resolves.toBeDefined();
    const tomorrow = await post(inFuture(13 * HOUR_MS).slice(0, 10));
    await ground.post(caller, orderOf(person, { supportingInfo: [to('Media', tomorrow.id!)] }));
    const [job] = await ground.jobs(caller);
    expect(job!.capturedAt.getTime()).toBeLessThanOrEqual(job!.createdAt.getTime());
  });

  it('by a camera whose clock is wrong is a photo whose time nobody said', async () => {
    const picture = sharp(await drawWoundPhoto({ width: 160, height: 120, format: 'png' }));
    const bytes = await picture
      .withMetadata({ exif: { IFD2: { DateTimeOriginal: '2131:03:15 09:40:12', OffsetTimeOriginal: '+01:00' } } })
      .jpeg()
      .toBuffer();
    const { resource } = await ground.post(caller, mediaOf({ data: bytes.toString('base64') }, { patientId: person }));
    expect(resource.createdDateTime).toBeUndefined();
  });
});
