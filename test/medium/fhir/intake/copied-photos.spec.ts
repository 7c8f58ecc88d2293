import type { Media } from '@medplum/fhirtypes';
import { ImageRepository } from '../../../../src/core/images/image.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { PhotoRecords } from '../../../../src/doors/fhir/photo/photo-records.js';
import { UnmatchedRecordsSource } from '../../../../src/doors/fhir/records/unmatched-records.source.js';
import { UnmatchedRecords } from '../../../../src/standards/fhir/store/unmatched-records.js';
import { queryDatabase } from '../../../support/database-query.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { drawWoundPhoto } from '../../../support/wound-photo.js';
import { mediaOf, orderOf, patientOf, woundOf } from '../../../support/intake-resources.js';

const IMAGE_ID = 'https://sutura.dev/fhir/sid/image-id';
const COPY_OF = 'https://sutura.dev/fhir/StructureDefinition/copy-of';
const REGION = 'https://sutura.dev/fhir/StructureDefinition/wound-region';
const TAKEN = '2026-03-17T17:10:00+01:00';
const NURSE = { display: 'Nurse Example' } as NonNullable<Media['operator']>;

let ground: IntakeGround;
let caller: Caller;
let person: string;
let first: Media;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller('pro', { autoAnalyze: true });
  person = (await ground.post(caller, patientOf())).resource.id!;
  first = await send({ data: await photoWithCamera() }, { createdDateTime: TAKEN, operator: NURSE });
});

/** With what a camera writes beside the picture, and nobody is served. */
const photoWithCamera = async (): Promise<string> =>
  (await drawWoundPhoto({ width: 160, height: 120, description: 'Camera' })).toString('base64');
const send = async (content: object, more: Partial<Media> = {}, patientId = person): Promise<Media> =>
  (await ground.post(caller, mediaOf(content, { patientId }, more))).resource;
/** The bytes as a receiver of the report reads them. */
const served = async (): Promise<string> => {
  const image = await ground.within(caller, ({ transaction }) =>
    ground.get(ImageRepository).find(transaction, first.id!),
  );
  return (await ground.get(PhotoRecords).served(image!)).toString('base64');
};
/** The photo as a receiver sends it back. */
const back = async (more: Partial<Media> = {}, patientId = person): Promise<Media> =>
  send({ data: await served() }, { createdDateTime: TAKEN, ...more }, patientId);
const copyOf = ({ extension }: Media) => extension?.find(({ url }) => url === COPY_OF)?.valueReference?.reference;
const analysed = async () => (await ground.jobs(caller)).map(({ imageId }) => imageId);
const charged = async () =>
  (
    await queryDatabase<{ used: number }>(
      ground.database.url,
      'select used from quota_usage where organization_id = $1',
      [caller.organizationId],
    )
  )[0]?.used ?? 0;
const region = (x: number) => ({
  url: REGION,
  extension: [
    { url: 'x', valueDecimal: x },
    { url: 'y', valueDecimal: 60 },
  ],
});

describe('a photo that comes with the bytes of another is no copy of it', () => {
  it('where it is another patient’s', async () => {
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const photo = await back({}, other);
    expect([copyOf(photo), await analysed()]).toEqual([undefined, [first.id, photo.id]]);
  });

  it('where it was taken at another time, which may be another visit', async () => {
    const photo = await back({ createdDateTime: '2026-03-24T17:10:00+01:00' });
    expect([copyOf(photo), await analysed()]).toEqual([undefined, [first.id, photo.id]]);
  });

  it('where it is about another wound', async () => {
    const wound = (await ground.post(caller, woundOf(person, 'W-2'))).resource.id!;
    const photo = (
      await ground.post(
        caller,
        mediaOf({ data: await served() }, { patientId: person, woundId: wound }, { createdDateTime: TAKEN }),
      )
    ).resource;
    expect([copyOf(photo), await analysed()]).toEqual([undefined, [first.id, photo.id]]);
  });

  it('where it says another place in the photo', async () => {
    const photo = await back({ extension: [region(80)] as never });
    expect([copyOf(photo), await analysed()]).toEqual([undefined, [first.id, photo.id]]);
  });

  it('where only its identifier was left from the one that it was made from: the identifier is taken', async () => {
    const more = { createdDateTime: '2026-03-24T17:10:00+01:00', identifier: [{ system: IMAGE_ID, value: first.id! }] };
    await expect(send({ data: await photoData(7) }, more)).rejects.toMatchObject({ code: 'fhir.duplicate' });
  });

  it('where it says so itself, and was taken at another time or is another wound’s: a receiver made it from the last one', async () => {
    const extension = [{ url: COPY_OF, valueReference: { reference: `Media/${first.id!}` } }];
    const later = await send({ data: await photoData(7) }, {
      createdDateTime: '2026-03-24T17:10:00+01:00',
      extension,
    } as never);
    const wound = (await ground.post(caller, woundOf(person, 'W-2'))).resource.id!;
    const others = (
      await ground.post(
        caller,
        mediaOf({ data: await photoData(8) }, { patientId: person, woundId: wound }, { createdDateTime: TAKEN }),
      )
    ).resource;
    const said = await ground.put<Media>(caller, {
      ...others,
      extension: [...(others.extension ?? []), ...extension],
    } as Media);
    expect([copyOf(later), later.extension, later.operator, copyOf(said)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(await analysed()).toEqual([first.id, later.id, others.id]);
  });

  it('where what it names is not here', async () => {
    const reference = 'Media/0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3d';
    const photo = await send({ data: await photoData(7) }, {
      createdDateTime: TAKEN,
      extension: [{ url: COPY_OF, valueReference: { reference } }],
    } as never);
    expect([copyOf(photo), await analysed()]).toEqual([undefined, [first.id, photo.id]]);
  });

  it('where the other was entered in error', async () => {
    caller = await ground.createCaller('pro');
    person = (await ground.post(caller, patientOf())).resource.id!;
    first = await send({ data: await photoWithCamera() }, { createdDateTime: TAKEN });
    const bytes = await served();
    await ground.put(caller, { ...first, status: 'entered-in-error' });
    expect(copyOf(await send({ data: bytes }, { createdDateTime: TAKEN }))).toBeUndefined();
  });
});

describe('a photo that a receiver sends back', () => {
  it('is kept as a copy, with who took it, and is neither analysed nor charged again', async () => {
    const photo = await back();
    expect(copyOf(photo)).toBe(`Media/${first.id}`);
    expect(photo.operator).toEqual(NURSE);
    expect(photo.id).not.toBe(first.id);
    expect([await analysed(), await charged(), (await ground.tasks(caller)).length]).toEqual([[first.id], 1, 1]);
  });

  it('keeps the operator that its sender names', async () => {
    const photo = await back({ operator: { display: 'Another Nurse' } as never });
    expect(photo.operator).toEqual({ display: 'Another Nurse' });
  });

  it('is known by its identifier where the receiver compressed it anew', async () => {
    const photo = await send(
      { data: await photoData(7) },
      { createdDateTime: '2026-03-17T16:10:00Z', identifier: [{ system: IMAGE_ID, value: first.id! }] },
    );
    expect([copyOf(photo), await analysed()]).toEqual([`Media/${first.id}`, [first.id]]);
    expect(photo.identifier).toEqual([{ system: IMAGE_ID, value: photo.id }]);
  });

  it('is not analysed again for the order that has its original', async () => {
    caller = await ground.createCaller('pro');
    person = (await ground.post(caller, patientOf())).resource.id!;
    const order = (await ground.post(caller, orderOf(person))).resource;
    const basedOn = [{ reference: `ServiceRequest/${order.id!}` }] as Media['basedOn'];
    first = await send({ data: await photoWithCamera() }, { createdDateTime: TAKEN, basedOn });
    const photo = await back({ basedOn });
    expect([copyOf(photo), await analysed(), await charged()]).toEqual([`Media/${first.id}`, [first.id], 1]);
  });

  it('is analysed where an order of its own asks for it', async () => {
    const photo = await back();
    await ground.post(caller, orderOf(person, { supportingInfo: [{ reference: `Media/${photo.id!}` }] as never }));
    expect(await analysed()).toEqual([first.id, photo.id]);
  });

  it('is analysed where nobody asked for its original', async () => {
    caller = await ground.createCaller('pro');
    person = (await ground.post(caller, patientOf())).resource.id!;
    first = await send({ data: await photoWithCamera() }, { createdDateTime: TAKEN });
    const order = (await ground.post(caller, orderOf(person))).resource;
    const photo = await back({ basedOn: [{ reference: `ServiceRequest/${order.id!}` }] as Media['basedOn'] });
    expect([copyOf(photo), await analysed()]).toEqual([`Media/${first.id}`, [photo.id]]);
  });

  it('is analysed where the analysis of its original failed', async () => {
    await queryDatabase(
      ground.database.url,
      `update analysis_jobs set status = 'error', completed_at = now(), error = '{"code":"processing.failed","detail":"Failed.","retryable":true}' where organization_id = $1`,
      [caller.organizationId],
    );
    const photo = await back();
    expect([copyOf(photo), await analysed()]).toEqual([`Media/${first.id}`, [first.id, photo.id]]);
  });

  it('leads to the original where it is a copy of a copy', async () => {
    const copy = await back();
    const identifier = [{ system: IMAGE_ID, value: copy.id! }];
    const photo = await send({ data: await photoData(7) }, { createdDateTime: TAKEN, identifier });
    expect([copyOf(photo), await analysed()]).toEqual([`Media/${first.id}`, [first.id]]);
  });

  it('is known by what it says itself, of the same moment', async () => {
    const extension = [{ url: COPY_OF, valueReference: { reference: `Media/${first.id!}` } }];
    const photo = await send({ data: await photoData(7) }, { createdDateTime: TAKEN, extension } as never);
    expect([copyOf(photo), await analysed()]).toEqual([`Media/${first.id}`, [first.id]]);
  });

  it('stays a copy of the same one where its sender updates it and names another', async () => {
    const photo = await back();
    const other = await send({ data: await photoData(7) }, { createdDateTime: '2026-03-24T17:10:00+01:00' });
    const extension = [{ url: COPY_OF, valueReference: { reference: `Media/${other.id!}` } }];
    expect(copyOf(await ground.put<Media>(caller, { ...photo, extension } as Media))).toBe(`Media/${first.id}`);
  });

  it('stays a copy where its sender updates it without saying so', async () => {
    const photo = await back();
    const { extension: _extension, ...bare } = photo;
    expect(copyOf(await ground.put<Media>(caller, { ...bare, note: [{ text: 'Filed.' }] } as Media))).toBe(
      `Media/${first.id}`,
    );
  });

  it('is on no list of photos without an order once its original is analysed', async () => {
    const sql = (statement: string) => queryDatabase(ground.database.url, statement, [caller.organizationId]);
    await back();
    await sql(`update organizations set unmatched_from = '-infinity', unmatched_after_minutes = 1 where id = $1`);
    await sql(`update images set stored_at = stored_at - interval '1 hour' where organization_id = $1`);
    const source = new UnmatchedRecordsSource(new UnmatchedRecords(), ground.get(UnitOfWork));
    const page = { reason: null, olderThanS: null, after: null, limit: 100 };
    expect(await ground.get(UnitOfWork).inTenant(caller, (transaction) => source.open(transaction, page))).toEqual([]);
  });
});
