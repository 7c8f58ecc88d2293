import type { Bundle, DiagnosticReport, Media, Observation } from '@medplum/fhirtypes';
import { queryDatabase } from '../../support/database-query.js';
import { expectStatus } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { mediaOf, PATIENT_NUMBERS } from '../../support/intake-resources.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

let gateway: SharedGateway;
beforeAll(async () => {
  gateway = await sharedGateway();
});

const ORDERED = '20260315094000+0100';
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const timesOf = (message: string): string[] =>
  message.split('\r').flatMap((line) => (line.startsWith('OBX|') ? [line.split('|')[14] ?? ''] : []));

/** What an event says of the time of a photo. */
interface Told {
  readonly reportId: string;
  readonly capturedAt: string;
  readonly capturedAsStated?: string;
}

/** A hospital of a zone, and a receiver of its webhooks. */
interface House {
  readonly hospital: Hl7Hospital;
  readonly webhooks: WebhookReceiver;
}

async function openHouse(timeZone: string): Promise<House> {
  const hospital = await Hl7Hospital.open(gateway, { timeZone }, { timeZone, pdf: 'none' });
  const webhooks = await WebhookReceiver.start();
  const wish = { url: webhooks.url, content: 'full', types: ['report.ready'] };
  expectStatus(201, await hospital.client.request('POST', '/api/v1/webhooks', { json: wish }));
  const tenant = 'update organizations set time_zone = $1 where id = $2';
  await queryDatabase(gateway.databaseUrl, tenant, [timeZone, hospital.organizationId]);
  return { hospital, webhooks };
}

async function closeHouse(house: House | undefined): Promise<void> {
  await house?.webhooks.stop();
  await house?.hospital.close();
}

async function withHouse<T>(timeZone: string, work: (house: House) => Promise<T>): Promise<T> {
  const house = await openHouse(timeZone);
  try {
    return await work(house);
  } finally {
    await closeHouse(house);
  }
}

/** A photo through the HL7 door, and what each exit says of its time. */
async function throughAllDoors({ hospital, webhooks }: House, taken: string, place = 1) {
  const { client } = hospital;
  const order = `ORD-T${place}`;
  const photo = await drawWoundPhoto({ seed: place, width: 320, height: 240 });
  const rows = ['NM|39127-6^Depth^LN|1|1.5|cm^centimetre^UCUM|||||F'];
  const mrn = `MRN-${place}`;
  const answer = await hospital.send(orderMessage({ order, mrn, photo, rows }).replaceAll(ORDERED, taken));
  const result = await hospital.result(order);
  const ofPatient = `patient.identifier=${encodeURIComponent(`${PATIENT_NUMBERS}|${mrn}`)}`;
  const find = async <R>(type: string): Promise<R[]> =>
    ((await hospital.read<Bundle>(`${type}?${ofPatient}&_count=100`)).entry ?? []).map(({ resource }) => resource as R);
  const report = await eventually(
    'the report over FHIR',
    async () => (await find<DiagnosticReport>('DiagnosticReport'))[0],
  );
  const [media] = await find<Media>('Media');
  const observations = (await find<Observation>('Observation')).map(({ effectiveDateTime }) => effectiveDateTime);
  const native = expectStatus(200, await client.request('GET', `/api/v1/reports/${report.id}`));
  const text = await client.request('GET', `/api/v1/reports/${report.id}`, { headers: { accept: 'text/plain' } });
  const told = await eventually('the webhook', () =>
    webhooks.received.map(({ event }) => event.data as Told).find(({ reportId }) => reportId === report.id),
  );
  return {
    answer: answer!,
    webhook: { capturedAt: told.capturedAt, capturedAsStated: told.capturedAsStated },
    hl7: [...new Set([fieldOf(result, 'OBR', 7), ...timesOf(result)])],
    fhir: [...new Set([report.effectiveDateTime, media!.createdDateTime, ...observations])],
    native: native.body as { capturedAt: string; capturedAsStated?: string },
    text: plain(text.bytes.toString('utf8')),
  };
}

describe.each(['Pacific/Pago_Pago', 'America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati'])('in %s', (timeZone) => {
  it('a day that came in goes out as that day, through every exit', async () => {
    const said = await withHouse(timeZone, (house) => throughAllDoors(house, '20260315'));
    expect([fieldOf(said.answer, 'MSA', 1), said.hl7, said.fhir, said.native.capturedAsStated]).toEqual([
      'AA',
      ['20260315'],
      ['2026-03-15'],
      '2026-03-15',
    ]);
    expect(said.webhook).toEqual({ capturedAt: said.native.capturedAt, capturedAsStated: '2026-03-15' });
    expect(said.text).toMatch(/Photo taken:? +15 Mar 2026\n/);
    expect(said.text).not.toMatch(/1[46] Mar 2026/);
  });
});

it('a month stays a month, with a warning', async () => {
  const said = await withHouse('America/New_York', (house) => throughAllDoors(house, '202603'));
  expect(said.answer).toContain('The day is not stated');
  expect([said.hl7, said.fhir, said.native.capturedAsStated]).toEqual([['202603'], ['2026-03'], '2026-03']);
  expect(said.webhook.capturedAsStated).toBe('2026-03');
  expect(said.text).toMatch(/Photo taken:? +Mar 2026\n/);
});

it('a moment keeps its offset over FHIR, and is the same moment everywhere', async () => {
  const said = await withHouse('America/New_York', (house) => throughAllDoors(house, '20260315003000+0530'));
  expect([said.hl7, said.fhir]).toEqual([['20260314150000-0400'], ['2026-03-15T00:30:00+05:30']]);
  expect(said.native).toMatchObject({
    capturedAt: '2026-03-14T19:00:00.000Z',
    capturedAsStated: '2026-03-15T00:30:00+05:30',
  });
  expect(said.text).toContain('14 Mar 2026, 15:00:00');
});

/** Around midnight of the sender's clock, and in the hours of summer time, as HL7 v2 and FHIR write them. */
const MOMENTS = [
  ['20260315003000-1100', '2026-03-15T00:30:00-11:00', '2026-03-15T11:30:00.000Z'],
  ['20260314233000-0800', '2026-03-14T23:30:00-08:00', '2026-03-15T07:30:00.000Z'],
  ['20260308023000-0500', '2026-03-08T02:30:00-05:00', '2026-03-08T07:30:00.000Z'],
  ['20260315000000+0000', '2026-03-15T00:00:00+00:00', '2026-03-15T00:00:00.000Z'],
  ['20260329013000+0100', '2026-03-29T01:30:00+01:00', '2026-03-29T00:30:00.000Z'],
  ['20261025023000+0100', '2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000Z'],
  ['20260315003000+0530', '2026-03-15T00:30:00+05:30', '2026-03-14T19:00:00.000Z'],
  ['20260315003000+1000', '2026-03-15T00:30:00+10:00', '2026-03-14T14:30:00.000Z'],
  ['20260315003000+1400', '2026-03-15T00:30:00+14:00', '2026-03-14T10:30:00.000Z'],
] as const;

describe('a webhook and the records say one moment', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse('Europe/Berlin');
  });
  afterAll(() => closeHouse(house));

  it.each(MOMENTS.map((moment, index) => [...moment, index] as const))(
    '%s that came by HL7',
    async (taken, stated, instant, place) => {
      const said = await throughAllDoors(house, taken, place);
      expect(said.webhook).toEqual({ capturedAt: instant, capturedAsStated: stated });
      expect([said.native, said.fhir]).toEqual([
        expect.objectContaining({ capturedAt: instant, capturedAsStated: stated }),
        [stated],
      ]);
    },
  );

  it('that came by REST and by FHIR, in a hospital at the other end of the world', async () => {
    await withHouse('Pacific/Kiritimati', async ({ hospital, webhooks }) => {
      const said: object[] = [];
      for (const [index, [, stated, instant]] of MOMENTS.entries()) {
        const imageId = await hospital.client.uploadPhoto(
          await drawWoundPhoto({ seed: 20 + index, width: 320, height: 240 }),
        );
        const subject = { patientId: `P-${index}`, woundId: 'W-1' };
        await hospital.client.startJob({ imageId, subject, capturedAt: stated });
        said.push({ imageId, capturedAt: instant, capturedAsStated: stated });
      }
      const data = (await drawWoundPhoto({ seed: 40, width: 320, height: 240 })).toString('base64');
      const json = { ...mediaOf({ data }), createdDateTime: '2026-03-15' };
      const headers = { 'content-type': 'application/fhir+json' };
      const kept = expectStatus(201, await hospital.client.request('POST', '/fhir/Media', { json, headers }))
        .body as Media;
      expectStatus(200, await hospital.client.request('POST', `/fhir/Media/${kept.id}/$analyze`, {}));
      const events = await eventually('every event', () =>
        webhooks.received.length > MOMENTS.length ? webhooks.received.map(({ event }) => event.data as Told) : null,
      );
      expect(events).toEqual(expect.arrayContaining(said.map((one) => expect.objectContaining(one) as object)));
      expect(events).toContainEqual(expect.objectContaining({ imageId: kept.id, capturedAsStated: '2026-03-15' }));
    });
  });
});
