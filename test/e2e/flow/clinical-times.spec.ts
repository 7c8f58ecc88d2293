import type { Bundle, DiagnosticReport, Media, Observation } from '@medplum/fhirtypes';
import { queryDatabase } from '../../support/database-query.js';
import { expectStatus } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

let gateway: SharedGateway;
beforeAll(async () => {
  gateway = await sharedGateway();
});

const ORDERED = '20260315094000+0100';
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const timesOf = (message: string): string[] =>
  message.split('\r').flatMap((line) => (line.startsWith('OBX|') ? [line.split('|')[14] ?? ''] : []));

/** A photo through the HL7 door, and what each exit says of its time. */
async function throughAllDoors(timeZone: string, taken: string, seed: number) {
  const hospital = await Hl7Hospital.open(gateway, { timeZone }, { timeZone });
  try {
    const tenant =
      "update organizations set time_zone = $1 where id = (select organization_id from hl7_listeners where settings ->> 'timeZone' = $1 order by created_at desc limit 1)";
    await queryDatabase(gateway.databaseUrl, tenant, [timeZone]);
    const photo = await drawWoundPhoto({ seed });
    const rows = ['NM|39127-6^Depth^LN|1|1.5|cm^centimetre^UCUM|||||F'];
    const answer = await hospital.send(orderMessage({ order: 'ORD-T', photo, rows }).replaceAll(ORDERED, taken));
    const result = await hospital.result('ORD-T');
    const report = await eventually('the report over FHIR', async () => {
      const { entry = [] } = await hospital.read<Bundle<DiagnosticReport>>('DiagnosticReport');
      return entry[0]?.resource;
    });
    const media = (await hospital.read<Bundle<Media>>('Media')).entry![0]!.resource!;
    const observations = (await hospital.read<Bundle<Observation>>('Observation?_count=100')).entry!.map(
      ({ resource }) => resource!.effectiveDateTime,
    );
    const native = expectStatus(200, await hospital.client.request('GET', `/api/v1/reports/${report.id}`));
    const text = await hospital.client.request('GET', `/api/v1/reports/${report.id}`, {
      headers: { accept: 'text/plain' },
    });
    return {
      answer: answer!,
      hl7: [...new Set([fieldOf(result, 'OBR', 7), ...timesOf(result)])],
      fhir: [...new Set([report.effectiveDateTime, media.createdDateTime, ...observations])],
      native: native.body as { capturedAt: string; capturedAsStated?: string },
      text: plain(text.bytes.toString('utf8')),
    };
  } finally {
    await hospital.close();
  }
}

describe.each(['Pacific/Pago_Pago', 'America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati'])('in %s', (timeZone) => {
  it('a day that came in goes out as that day, through every exit', async () => {
    const said = await throughAllDoors(timeZone, '20260315', 1);
    expect([fieldOf(said.answer, 'MSA', 1), said.hl7, said.fhir, said.native.capturedAsStated]).toEqual([
      'AA',
      ['20260315'],
      ['2026-03-15'],
      '2026-03-15',
    ]);
    expect(said.text).toMatch(/Photo taken:? +15 Mar 2026\n/);
    expect(said.text).not.toMatch(/1[46] Mar 2026/);
  });
});

it('a month stays a month, with a warning', async () => {
  const said = await throughAllDoors('America/New_York', '202603', 2);
  expect(said.answer).toContain('The day is not stated');
  expect([said.hl7, said.fhir, said.native.capturedAsStated]).toEqual([['202603'], ['2026-03'], '2026-03']);
  expect(said.text).toMatch(/Photo taken:? +Mar 2026\n/);
});

it('a moment keeps its offset over FHIR, and is the same moment everywhere', async () => {
  const said = await throughAllDoors('America/New_York', '20260315003000+0530', 3);
  expect([said.hl7, said.fhir]).toEqual([['20260314150000-0400'], ['2026-03-15T00:30:00+05:30']]);
  expect(said.native).toMatchObject({
    capturedAt: '2026-03-14T19:00:00.000Z',
    capturedAsStated: '2026-03-15T00:30:00+05:30',
  });
  expect(said.text).toContain('14 Mar 2026, 15:00:00');
});
