import type { DiagnosticReport, Observation } from '@medplum/fhirtypes';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { readDocument } from '../../support/read-document.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

/** The width of the photo, which makes the wound's area, and the rows of what the nurse stated. */
type Visit = readonly [widthPx: number, ...rows: readonly string[]];

const DAYS = ['20260301', '20260308', '20260315', '20260322'];
const depth = (cm: number) => `NM|39127-6^Depth of Wound^LN|1|${cm}|cm^centimeter^UCUM|||||F`;
const exudate = (amount: string) =>
  `CWE|39116-9^Drainage amount of Wound^LN|1|exudate-${amount}^${amount}^99SUT||||||F`;
const pain = (level: number) => `NM|pain-nrs^Pain^99SUT|1|${level}||||||F`;
const signs = (words: string) => `ST|infection-signs^Signs^99SUT|1|${words}||||||F`;

const sign = (name: string, answer: string) => `CWE|sign-${name}^${name}^99SUT|1|${answer}||||||F`;
const NO = 'N^No^HL70136';
const YES = 'Y^Yes^HL70136';
const stage = (words: string) => `ST|wound-stage^Stage^99SUT|1|${words}||||||F`;

interface History {
  readonly name: string;
  readonly visits: readonly Visit[];
  readonly verdict: string;
  /** OBX-8 of the verdict, FHIR's interpretation and conclusion; "": none. */
  readonly code: 'B' | 'W' | '';
  /** Of the change of the area, which has a sign of its own. */
  readonly codeOfChange: 'B' | 'W' | '';
  readonly headline: string;
}

const HISTORIES: readonly History[] = [
  {
    name: 'closes over a cavity that grows',
    visits: [
      [640, depth(1), exudate('light')],
      [580, depth(2), exudate('light')],
      [520, depth(3.2), exudate('heavy')],
      [460, depth(4.5), exudate('heavy')],
    ],
    verdict: 'mixed',
    code: 'W',
    codeOfChange: '',
    headline: 'Some findings are worse, others are better. Worse: depth.',
  },
  {
    name: 'heals',
    visits: [640, 560, 500, 440].map((width): Visit => [width, depth(1)]),
    verdict: 'improving',
    code: 'B',
    codeOfChange: 'B',
    headline: 'The wound is improving. Better: area.',
  },
  {
    name: 'grows',
    visits: [[440], [500], [568], [640]],
    verdict: 'worsening',
    code: 'W',
    codeOfChange: 'W',
    headline: 'The wound is getting worse. Worse: area.',
  },
  {
    name: 'stands still, and hurts newly',
    visits: [2, 2, 3, 8].map((level, visit): Visit => [640 - 4 * visit, pain(level)]),
    verdict: 'worsening',
    code: 'W',
    codeOfChange: '',
    headline: 'The wound is getting worse. Worse: pain (0 to 10).',
  },
  {
    name: 'heals while signs of infection persist',
    visits: [640, 560, 500, 440].map((width): Visit => [width, signs('pus')]),
    verdict: 'unchanged',
    code: '',
    codeOfChange: '',
    headline: 'No clear change in what was compared: the area, and what clinicians stated.',
  },
  {
    name: 'heals, as the form says no to signs of infection',
    visits: [640, 560, 500, 440].map((width): Visit => [width, signs('No')]),
    verdict: 'improving',
    code: 'B',
    codeOfChange: 'B',
    headline: 'The wound is improving. Better: area.',
  },
  {
    name: 'heals, and has newly three coded signs of infection',
    visits: [640, 560, 500, 440].map((width, visit): Visit => [
      width,
      ...['warmth', 'swelling', 'odour'].map((name) => sign(name, visit < 3 ? NO : YES)),
    ]),
    verdict: 'mixed',
    code: 'W',
    codeOfChange: '',
    headline: 'Some findings are worse, others are better.',
  },
  {
    name: 'heals, as the form says no to every coded sign, and its stage is lower',
    visits: [640, 560, 500, 440].map((width, visit): Visit => [
      width,
      sign('fever', NO),
      sign('warmth', NO),
      stage(visit < 3 ? 'Stage IV' : 'Stage III'),
    ]),
    verdict: 'improving',
    code: 'B',
    codeOfChange: 'B',
    headline: 'The wound is improving. Better: area.',
  },
];

const PATIENTS = HISTORIES.map((history, index) => ({ ...history, patient: `MRN-${index + 1}` }));

const rowOf = (message: string, code: string): readonly string[] =>
  message
    .split('\r')
    .map((line) => line.split('|'))
    .find((fields) => fields[0] === 'OBX' && fields[3]?.startsWith(`${code}^`))!;

describe('one verdict at every exit, of a wound that', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  let receiver: WebhookReceiver;
  const photos = new Map<string, Promise<Buffer>>();

  beforeAll(async () => {
    gateway = await sharedGateway();
    receiver = await WebhookReceiver.start();
    hospital = await Hl7Hospital.open(gateway, {}, { pdf: 'none' });
    const json = { url: receiver.url, types: ['report.ready'] };
    expectStatus(201, await hospital.client.request('POST', '/api/v1/webhooks', { json }));
  }, 120_000);
  afterAll(async () => {
    await hospital?.close();
    await receiver?.stop();
  });

  const photoOf = (width: number, seed: number): Promise<Buffer> => {
    const name = `${width}/${seed}`;
    const photo = photos.get(name) ?? drawWoundPhoto({ width, height: (width * 3) / 4, seed });
    photos.set(name, photo);
    return photo;
  };
  /** The result of the last visit's order, once each before has come. */
  const play = async (patient: string, visits: readonly Visit[]): Promise<string> => {
    let result = '';
    for (const [visit, [width, ...rows]] of visits.entries()) {
      const order = `${patient}-${visit}`;
      const photo = await photoOf(width, visit + 1);
      await hospital.send(
        orderMessage({ order, photo, mrn: patient, wound: `W-${patient}`, taken: DAYS[visit]!, rows }),
      );
      result = await hospital.result(order);
    }
    return result;
  };
  const get = async (path: string) => expectStatus(200, await hospital.client.request('GET', path)).body;

  it.each(PATIENTS)(
    '$name',
    async ({ patient, visits, verdict, code, codeOfChange, headline }) => {
      const result = await play(patient, visits);
      const course = rowOf(result, 'course');
      expect([course[5]!.split('^')[0], course[8]]).toEqual([`course-${verdict}`, code]);
      expect(rowOf(result, 'area-change-since-previous')[8]).toBe(codeOfChange);

      const wounds = (await get(`/api/v1/wounds?patientId=${patient}`)).items;
      const { assessments } = await get(`/api/v1/wounds/${wounds[0].id}/timeline`);
      const { reportId, course: inTimeline } = assessments.at(-1);
      const { comparison } = await get(`/api/v1/reports/${reportId}`);
      expect([comparison.course.verdict, inTimeline]).toEqual([verdict, comparison.course]);

      const told = await eventually('the webhook of the last visit', () =>
        receiver.received.find(({ event }) => event.data.reportId === reportId),
      );
      expect(told.event.data.course.verdict).toBe(verdict);

      const fhir = await hospital.read<DiagnosticReport>(`DiagnosticReport/${reportId}`);
      const panel = await hospital.read<Observation>(`Observation/${reportId}-panel`);
      const progress = await hospital.read<Observation>(`Observation/${reportId}-progress`);
      const codeOf = ({ interpretation }: Observation) => interpretation?.[0]?.coding?.at(-1)?.code ?? '';
      expect(panel.component![0]!.valueCodeableConcept!.coding![0]!.code).toBe(`course-${verdict}`);
      expect([codeOf(panel), codeOf(progress)]).toEqual([code, codeOfChange]);
      const conclusions = (fhir.conclusionCode ?? []).flatMap(({ coding }) => coding!.map((one) => one.code));
      expect([conclusions.includes('390771008'), conclusions.includes('390772001')]).toEqual([
        code === 'B',
        code === 'W',
      ]);

      const accept = { headers: { accept: 'text/plain' } };
      const document = expectStatus(200, await hospital.client.request('GET', `/api/v1/reports/${reportId}`, accept));
      const words = readDocument(document.bytes, 'text');
      expect(words).toContain(headline);
      if (code !== 'B') expect(words).not.toContain('Points to look at None.');
      expect(fhir.conclusion).toContain(headline);
    },
    120_000,
  );
});
