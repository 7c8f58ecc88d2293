import type { DiagnosticReport, Observation } from '@medplum/fhirtypes';
import { expectStatus } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { readDocument } from '../../support/read-document.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const MRN = 'MRN-1';
/** The third photo is of the wound as a debridement left it. */
const VISITS = [
  { taken: '20260301', width: 520 },
  { taken: '20260308', width: 512 },
  { taken: '20260315', width: 640 },
  { taken: '20260322', width: 632 },
] as const;
const DEBRIDEMENT = { type: 'debridement', occurredAt: '2026-03-12T10:15:00Z', note: 'Sharp.' };
const BASELINE = 'New baseline after debridement on 12 Mar 2026';

describe('a debridement between two photos, through every exit', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  const results: string[] = [];

  beforeAll(async () => {
    gateway = await sharedGateway();
    hospital = await Hl7Hospital.open(gateway);
    for (const [visit, { taken, width }] of VISITS.entries()) {
      const photo = await drawWoundPhoto({ width, height: (width * 3) / 4, seed: visit + 1 });
      await hospital.send(orderMessage({ order: `O-${visit}`, photo, mrn: MRN, wound: 'W-1', taken }));
      results.push(await hospital.result(`O-${visit}`));
    }
  }, 180_000);
  afterAll(async () => {
    await hospital?.close();
  });

  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, given: object = {}) =>
    hospital.client.request(method, path, given);
  const get = async (path: string) => expectStatus(200, await ask('GET', path)).body;
  const assessments = async (): Promise<{ reportId: string; course: { verdict: string }; trend: string | null }[]> => {
    const [wound] = (await get(`/api/v1/wounds?patientId=${MRN}`)).items;
    return (await get(`/api/v1/wounds/${wound.id}/timeline`)).assessments;
  };

  it('is worse until it is recorded, new baseline once it is, and worse again when it is withdrawn', async () => {
    const [{ id: woundId }] = (await get(`/api/v1/wounds?patientId=${MRN}`)).items;
    const path = `/api/v1/wounds/${woundId}/events`;
    expect(results[2]).toContain('The wound is getting worse.');
    expect((await assessments()).map(({ course }) => course.verdict).slice(2)).toContain('worsening');

    const key = { headers: { 'idempotency-key': 'visit-3' }, json: DEBRIDEMENT };
    const { body: event } = expectStatus(201, await ask('POST', path, key));
    expect(expectStatus(201, await ask('POST', path, key)).body.id).toBe(event.id);
    expectStatus(422, await ask('POST', path, { json: { ...DEBRIDEMENT, occurredAt: '2099-01-01T00:00:00Z' } }));
    expectStatus(400, await ask('POST', path, { json: { ...DEBRIDEMENT, type: 'prayer' } }));

    const amended = await hospital.result('O-2', 2);
    expect(amended).toContain(BASELINE);
    expect(amended).toContain('|area-reset^');
    expect(amended).toContain('|area-after-debridement^');
    expect(amended).not.toContain('The wound is getting worse.');
    const [, , after, next] = await assessments();
    expect([after!.course.verdict, after!.trend]).toEqual(['unknown', null]);
    expect(next!.course.verdict).toBe('unchanged');
    expect((await get(`/api/v1/wounds/${woundId}`)).clinicalEvents).toMatchObject([{ id: event.id, note: 'Sharp.' }]);

    // Each exit follows in its own time.
    const panel = await eventually('the panel says so', async () => {
      const { component } = await hospital.read<Observation>(`Observation/${after!.reportId}-panel`);
      const value = component![0]!.valueCodeableConcept!;
      return value.text?.includes(BASELINE) === true ? value : null;
    });
    expect(panel).toMatchObject({ coding: [{ code: 'course-unknown' }] });
    const { conclusion, conclusionCode } = await eventually('the report says so', async () => {
      const report = await hospital.read<DiagnosticReport>(`DiagnosticReport/${after!.reportId}`);
      return report.conclusion?.includes(BASELINE) === true ? report : null;
    });
    expect(conclusion).not.toContain('getting worse');
    expect(JSON.stringify(conclusionCode)).toContain('area-after-debridement');
    for (const [language, words] of [
      ['en', BASELINE],
      ['de', 'Neuer Ausgangswert nach Débridement am 12.'],
      ['es', 'Nuevo valor de partida tras el desbridamiento del 12'],
      ['fr', 'Nouvelle valeur de départ après le débridement du 12'],
    ] as const) {
      const accept = { headers: { accept: 'text/plain' } };
      const { bytes } = expectStatus(
        200,
        await ask('GET', `/api/v1/reports/${next!.reportId}?lang=${language}`, accept),
      );
      expect(readDocument(bytes, 'text')).toContain(words);
    }
    const course = expectStatus(
      200,
      await ask('GET', `/api/v1/wounds/${woundId}/report`, { headers: { accept: 'text/plain' } }),
    );
    expect(readDocument(course.bytes, 'text')).toContain('Events: debridement 12 Mar 2026.');

    expectStatus(200, await ask('DELETE', `${path}/${event.id}`, { json: { note: 'Another wound.' } }));
    expect((await assessments()).map(({ course }) => course.verdict).slice(2)).toContain('worsening');
    expect((await get(path)).items).toMatchObject([{ id: event.id, withdrawn: { note: 'Another wound.' } }]);
    expect((await get(`/api/v1/wounds/${woundId}`)).clinicalEvents).toEqual([]);
  }, 120_000);
});
