import { ApiClient, expectStatus } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const MRN = 'MRN-7';
/** What a ward states beside its photos: figures, signs, steps, a stage, what was done, and that the wound was closed. */
const VISITS: readonly (readonly [day: string, widthPx: number, ...rows: readonly string[]])[] = [
  [
    '20260301',
    640,
    'NM|39127-6^Depth of Wound^LN|1|1|cm^centimeter^UCUM|||||F',
    'CWE|39116-9^Drainage amount of Wound^LN|1|exudate-light^light^99SUT||||||F',
    'NM|pain-nrs^Pain^99SUT|1|2||||||F',
    'CWE|sign-warmth^warmth^99SUT|1|N^No^HL70136||||||F',
    'ST|wound-stage^Stage^99SUT|1|Stage II||||||F',
  ],
  [
    '20260308',
    560,
    'NM|39127-6^Depth of Wound^LN|1|3.5|cm^centimeter^UCUM|||||F',
    'CWE|39116-9^Drainage amount of Wound^LN|1|exudate-heavy^heavy^99SUT||||||F',
    'NM|pain-nrs^Pain^99SUT|1|7||||||F',
    'CWE|sign-warmth^warmth^99SUT|1|Y^Yes^HL70136||||||F',
    'ST|infection-signs^Signs^99SUT|1|pus||||||F',
    'ST|wound-stage^Stage^99SUT|1|Stage III||||||F',
    'CWE|wound-event^Event^99SUT|1|debridement||||||F|||20260307101500+0100',
  ],
  ['20260315', 500, 'CWE|wound-closing^Closing^99SUT|1|healed||||||F|||20260316120000+0100'],
];

let gateway: SharedGateway;
const hospitals: Hl7Hospital[] = [];
beforeAll(async () => {
  gateway = await sharedGateway();
  for (const _door of ['MLLP', 'HTTP']) hospitals.push(await Hl7Hospital.open(gateway));
}, 120_000);
afterAll(async () => {
  for (const hospital of hospitals) await hospital.close();
});

const overHttp = async (hospital: Hl7Hospital, message: string) => {
  const headers = { 'content-type': 'application/hl7-v2' };
  const answer = await hospital.client.request('POST', '/hl7v2', { bytes: Buffer.from(message, 'utf8'), headers });
  return expectStatus(200, answer).bytes.toString('utf8');
};
/** Without what differs from one sending to the next: ids, and moments of our own. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      /(?:Id|Ref|^id|^wound|links|recordedAt|createdAt|enteredBy|quality)$/.test(key) ? undefined : inner,
    ),
  );

describe('rows of clinical statements', () => {
  it('mean the same over POST /hl7v2 as over MLLP', async () => {
    const told = [];
    for (const [at, hospital] of hospitals.entries()) {
      const answers: (string | null)[] = [];
      for (const [visit, [taken, width, ...rows]] of VISITS.entries()) {
        const order = `${at === 0 ? 'M' : 'H'}-${visit}`;
        const photo = await drawWoundPhoto({ width, height: (width * 3) / 4, seed: 501 + visit });
        const message = orderMessage({ order, photo, mrn: MRN, wound: 'W-7', taken, rows });
        answers.push(at === 0 ? await hospital.send(message) : await overHttp(hospital, message));
        await hospital.result(order);
      }
      const get = async (path: string) => expectStatus(200, await hospital.client.request('GET', path)).body;
      const [{ id }] = (await get(`/api/v1/wounds?patientId=${MRN}`)).items;
      const wound = await eventually('the wound is closed', async () => {
        const now = await get(`/api/v1/wounds/${id}`);
        return now.wound?.status === 'closed' || now.status === 'closed' ? now : undefined;
      });
      const { assessments } = await get(`/api/v1/wounds/${id}/timeline`);
      const stated = [];
      for (const { reportId } of assessments)
        stated.push((await get(`/api/v1/reports/${reportId}`)).clinicianObservations);
      told.push({
        acknowledged: answers.map(
          (answer) =>
            answer
              ?.split('\r')
              .find((line) => line.startsWith('MSA'))
              ?.split('|')[1],
        ),
        problems: answers.map((answer) => (answer ?? '').split('\r').filter((line) => line.startsWith('ERR'))),
        events: plain(wound.clinicalEvents),
        closing: plain(wound.events),
        verdicts: plain(assessments.map(({ course }: { course: object }) => course)),
        stated: plain(stated),
      });
    }
    const [mllp, http] = told;
    expect(mllp).toMatchObject({
      acknowledged: ['AA', 'AA', 'AA'],
      events: [{ type: 'debridement' }],
      closing: [{ decision: 'closed', reason: 'healed' }],
      stated: [{ depthCm: 1, painNrs: 2 }, { depthCm: 3.5, painNrs: 7, infectionSigns: ['pus'] }, null],
    });
    expect(http).toEqual(mllp);
  }, 120_000);

  it('are refused of a key without analysis:review; a procedure (PR1) is left out, and its photo is taken', async () => {
    const [, { client, organizationId }] = hospitals as [Hl7Hospital, Hl7Hospital];
    const { key } = await gateway.createKey(organizationId, 'test', [
      'images:write',
      'analysis:write',
      'analysis:read',
    ]);
    const writer = new ApiClient(gateway.baseUrl, key);
    const sent = async (order: string, rows: readonly string[], ...segments: readonly string[]) => {
      const photo = await drawWoundPhoto({ width: 480, height: 360, seed: 511 });
      const message = [orderMessage({ order, photo, mrn: 'MRN-8', wound: 'W-8', rows }).trimEnd(), ...segments, ''];
      const bytes = Buffer.from(message.join('\r'), 'utf8');
      const headers = { 'content-type': 'application/hl7-v2' };
      return (await writer.request('POST', '/hl7v2?ackStatus=always200', { bytes, headers })).bytes.toString('utf8');
    };
    const PR1 = 'PR1|1||36777000^Debridement^SCT||20260314101500+0100';
    expect(await sent('H-8', ['CWE|wound-event^Event^99SUT|1|debridement||||||F'])).toContain('\rMSA|AE|');
    const taken = await sent('H-9', [], PR1);
    expect(taken).toContain('\rMSA|AA|');
    expect(taken.split('\r').filter((line) => line.startsWith('ERR'))).toEqual([
      expect.stringMatching(/PR1.*finding\.kept.*analysis:review/),
    ]);
    const { items } = expectStatus(200, await client.request('GET', '/api/v1/wounds?patientId=MRN-8')).body;
    const { body } = expectStatus(200, await client.request('GET', `/api/v1/wounds/${items[0].id}`));
    expect(body.clinicalEvents).toEqual([]);
  });
});
