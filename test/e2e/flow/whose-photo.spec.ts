import sharp from 'sharp';
import { expectStatus, type ApiClient, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawTwoWoundsPhoto, IN_LARGE, IN_SMALL } from '../../support/two-wounds-photo.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const REGION = 'https://sutura.dev/fhir/StructureDefinition/wound-region';
const WOUND = 'https://sutura.dev/fhir/StructureDefinition/wound';

let gateway: Gateway;
let client: ApiClient;
beforeAll(async () => {
  gateway = await startGateway({
    env: { SUTURA_ALLOW_REUSED_PHOTOS: 'false', SUTURA_LEASE_S: '30' },
  });
});
afterAll(() => gateway?.stop());
beforeEach(async () => {
  client = await gateway.createClient();
});

const job = async (bytes: Buffer, subject: object, more: object = {}, by = client): Promise<Answer['body']> =>
  by.analyse(bytes, {
    subject: { patientId: 'MRN-1', ...subject },
    calibration: { mmPerPixel: 0.2 },
    capturedAt: '2026-03-01T09:00:00+01:00',
    ...more,
  });
const report = async ({ links }: Answer['body']): Promise<Answer['body']> =>
  expectStatus(200, await client.request('GET', links.report)).body;
const text = async ({ links }: Answer['body'], language = 'en', by = client): Promise<string> =>
  (await by.request('GET', `${links.report}?lang=${language}`, { headers: { accept: 'text/plain' } })).bytes
    .toString('utf8')
    .replaceAll(/\s+/g, ' ');

describe('two wounds in one photo', () => {
  it('that are filed without a region wait both, and page one says what to do', async () => {
    const photo = await drawTwoWoundsPhoto(11);
    const big = await job(photo, { woundId: 'BIG' });
    const small = await job(photo, { woundId: 'SMALL' });
    expect(small.result.attention).toContain('which_outline');
    const told = await eventually('the first is told', async () => {
      const answer = await report(big);
      return answer.comparison.attention.includes('which_outline') ? answer : undefined;
    });
    expect(told).toMatchObject({ version: 2 });
    expect(await text(small)).toContain('choose the outline that belongs to this wound');
    const worklist = expectStatus(200, await client.request('GET', '/api/v1/wounds?attention=true')).body;
    expect(worklist.wounds ?? worklist.items).toHaveLength(2);
  });

  it('are each measured where the sender says that they lie', async () => {
    const photo = await drawTwoWoundsPhoto(21);
    const big = await job(photo, { woundId: 'BIG', region: IN_LARGE });
    const small = await job(photo, { woundId: 'SMALL', region: { x: 700, y: 150, width: 200, height: 180 } });
    expect([big.result.region, small.result.region]).toEqual([{ outline: 0 }, { outline: 1 }]);
    expect([big.result.attention, small.result.attention]).toEqual([[], []]);
    const [first, second] = [await report(big), await report(small)];
    expect(first.findings.figures.area.cm2.value).toBeGreaterThan(3 * second.findings.figures.area.cm2.value);
  });

  it('and a region without one waits; one outside the photo is refused with its field', async () => {
    const nowhere = await job(await drawTwoWoundsPhoto(31), { woundId: 'W', region: { x: 560, y: 40 } });
    expect(nowhere.result).toMatchObject({ region: { outline: null }, attention: ['no_wound_in_region'] });
    expect(await text(nowhere, 'de')).toContain('An der Stelle im Foto, die der Absender genannt hat');
    const imageId = await client.uploadPhoto(await drawTwoWoundsPhoto(32));
    const refused = await client.createJob({ imageId, subject: { patientId: 'MRN-1', region: { x: 961, y: 1 } } });
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      422,
      'region.outside_photo',
      '/subject/region',
    ]);
  });

  it('over HL7 v2 and FHIR as natively', async () => {
    const hospital = await Hl7Hospital.open(gateway, {}, { pdf: 'none' });
    const row = `NA|wound-region^Where the wound lies^99SUT|1|${IN_SMALL.x}^${IN_SMALL.y}||||||F`;
    const sent = orderMessage({ order: 'ORD-7', photo: await drawTwoWoundsPhoto(41), wound: 'W-SMALL', rows: [row] });
    expect(fieldOf((await hospital.send(sent))!, 'MSA', 1)).toBe('AA');
    const area = (await hospital.result('ORD-7')).split('\r').find((line) => line.includes('89260-4'))!;
    const media = await hospital.read<{ entry: { resource: { extension: { url: string }[] } }[] }>('Media');
    expect(media.entry[0]!.resource.extension.map(({ url }) => url).sort()).toEqual([WOUND, REGION]);
    await hospital.close();
    const small = await job(await drawTwoWoundsPhoto(41), { woundId: 'SMALL', region: IN_SMALL });
    expect(Number(area.split('|')[5])).toBe((await report(small)).findings.figures.area.cm2.value);
    const wrong = {
      url: REGION,
      extension: [
        { url: 'x', valueDecimal: 5000 },
        { url: 'y', valueDecimal: 5 },
      ],
    };
    const refused = await client.request('POST', '/fhir/Media', {
      json: {
        resourceType: 'Media',
        status: 'completed',
        extension: [wrong],
        content: { contentType: 'image/jpeg', data: (await drawTwoWoundsPhoto(42)).toString('base64') },
      },
    });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('960 × 480');
  });
});

describe('the same photo', () => {
  it('of another week waits, and so does another patient’s, over any door', async () => {
    const photo = await drawWoundPhoto({ seed: 51 });
    await job(photo, { woundId: 'W' });
    const copy = await job(photo, { woundId: 'W' }, { capturedAt: '2026-03-08T09:00:00+01:00' });
    expect(copy.result.attention).toEqual(['duplicate_photo']);
    const saved = await sharp(photo).png().toBuffer();
    const other = await job(saved, { patientId: 'MRN-2', woundId: 'W' });
    expect(other.result.attention).toEqual(['duplicate_photo']);
    expect(await text(other, 'fr')).toContain('La même photographie');
  });

  it('of one order, wound and moment is analysed and charged once over FHIR', async () => {
    const created = async (resource: Readonly<Record<string, unknown>> & { readonly resourceType: string }) =>
      expectStatus(201, await client.request('POST', `/fhir/${resource.resourceType}`, { json: resource })).body.id;
    const person = await created({
      resourceType: 'Patient',
      identifier: [{ system: 'urn:oid:1.2.3', value: 'MRN-1' }],
    });
    const subject = { reference: `Patient/${person}` };
    const order = await created({
      resourceType: 'ServiceRequest',
      status: 'active',
      intent: 'order',
      code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }] },
      subject,
    });
    const data = (await drawWoundPhoto({ seed: 61 })).toString('base64');
    const media = {
      resourceType: 'Media',
      status: 'completed',
      subject,
      basedOn: [{ reference: `ServiceRequest/${order}` }],
      createdDateTime: '2026-03-01T09:00:00+01:00',
      content: { contentType: 'image/jpeg', data },
    };
    await created(media);
    await created(media);
    await created({ ...media, createdDateTime: '2026-03-02T09:00:00+01:00' });
    const tasks = await client.request('GET', `/fhir/Task?focus=ServiceRequest/${order}`);
    expect(tasks.body.entry).toHaveLength(2);
  });
});

describe('a gateway that allows demonstrations to reuse photos', () => {
  let demonstrating: Gateway;
  beforeAll(async () => {
    demonstrating = await startGateway({
      roles: 'api,worker',
      env: { SUTURA_ALLOW_REUSED_PHOTOS: 'true', SUTURA_ALLOW_RESEARCH_MODEL: 'true' },
    });
  });
  afterAll(() => demonstrating?.stop());

  it.each([
    ['test', []],
    ['live', ['duplicate_photo']],
  ] as const)('in the %s environment asks: %j', async (environment, attention) => {
    client = await demonstrating.createClient('enterprise', environment);
    const photo = await drawWoundPhoto({ seed: 55 });
    await job(photo, { woundId: 'W' });
    const copy = await job(photo, { woundId: 'W' }, { capturedAt: '2026-03-08T09:00:00+01:00' });
    expect(copy.result.attention).toEqual(attention);
  });
});

describe('a photo without a stated time', () => {
  const dated = async (seed: number, exif: Record<string, string>) =>
    sharp(await drawWoundPhoto({ seed }))
      .withExif({ IFD2: exif })
      .jpeg()
      .toBuffer();

  it('is of the moment that its camera says, which the result says', async () => {
    const photo = await dated(71, { DateTimeOriginal: '2026:02:03 10:11:12', OffsetTimeOriginal: '+01:00' });
    const { capturedAt, capturedAsStated, result } = await job(photo, { woundId: 'W' }, { capturedAt: undefined });
    expect([capturedAt, capturedAsStated]).toEqual(['2026-02-03T09:11:12.000Z', '2026-02-03T10:11:12+01:00']);
    expect(result.quality.warnings).toContain('captured_at_from_photo');
  });

  it.each([
    ['no zone, of its day', { DateTimeOriginal: '2026:02:03 10:11:12' }, '2026-02-03'],
    ['a day before cameras, of now', { DateTimeOriginal: '1970:01:01 00:00:00' }, undefined],
    ['a day to come, of now', { DateTimeOriginal: '2099:01:01 00:00:00', OffsetTimeOriginal: '+00:00' }, undefined],
  ])('is, with %s', async (_what, exif, stated) => {
    const photo = await dated(81, exif as never);
    const { capturedAsStated, result } = await job(photo, { woundId: 'W' }, { capturedAt: undefined });
    expect(capturedAsStated).toBe(stated);
    expect(result.quality.warnings.includes('captured_at_from_photo')).toBe(stated !== undefined);
    expect(result.quality.warnings.includes('camera_time_unused')).toBe(stated === undefined);
  });

  let asked: Answer['body'];
  let owner: ApiClient;
  beforeAll(async () => {
    owner = await gateway.createClient();
    const photo = await dated(61, { DateTimeOriginal: '2001:13:01 00:00:00' });
    const plain = await job(photo, { woundId: 'C' }, { capturedAt: undefined }, owner);
    expect(plain.result.quality.warnings).not.toContain('camera_time_unused');
    const odd = await dated(62, { DateTimeOriginal: '2036:01:01 08:00:00', OffsetTimeOriginal: '+01:00' });
    asked = await job(odd, { woundId: 'D' }, { capturedAt: undefined }, owner);
    expect(Date.parse(asked.capturedAt)).toBeLessThan(Date.parse('2036-01-01'));
  });

  it.each([
    ['en', 'a time that cannot be'],
    ['de', 'eine unmögliche Zeit'],
    ['es', 'una hora imposible'],
    ['fr', 'une date impossible'],
  ])('says in %s on page one that the camera’s time was not used', async (language, words) => {
    expect(await text(asked, language, owner)).toContain(words);
  });
});

describe('a photo without an open wound', () => {
  let none: Answer['body'];
  let owner: ApiClient;
  beforeAll(async () => {
    owner = await gateway.createClient();
    none = await job(await drawWoundPhoto({ seed: 91, withoutWound: true }), { woundId: 'W' }, {}, owner);
    expect(none.result.quality.warnings).toContain('open_wounds_only');
  });

  it.each([
    ['en', 'looks for open wounds only'],
    ['de', 'sucht nur nach offenen Wunden'],
    ['es', 'busca solo heridas abiertas'],
    ['fr', 'ne cherche que les plaies ouvertes'],
  ])('says in %s what is not looked for', async (language, words) => {
    expect(await text(none, language, owner)).toContain(words);
  });
});
