import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bundle, Media, Observation, ServiceRequest } from '@medplum/fhirtypes';
import { merged } from '../../../src/doors/fhir/intake/merged-findings.js';
import { toReportResources } from '../../../src/reports/index.js';
import { expectStatus, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { heelReport, resultFacts, segmentsOf } from '../../support/hl7-result.js';
import { readingOf, reportsOf } from '../../support/sample-report.js';
import { EVERYTHING_STATED } from '../../support/stated-sample.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const EXAMPLE = readFileSync(resolve(__dirname, '../../../fhir-profiles/examples/transaction-request.json'), 'utf8');
/** OBX-2 to OBX-11 of every row that a clinician stated, without the status. */
const statedRows = (message: string): string[] =>
  message
    .split(/[\r\n]/)
    .filter((line) => line.startsWith('OBX|') && line.includes('Stated by a clinician'))
    .map((line) => line.split('|').slice(2, 7).join('|'));
/** The rows in which a result states everything. */
const ROWS = statedRows(
  segmentsOf(
    resultFacts({ ...heelReport(), content: { ...heelReport().content, clinicianObservations: EVERYTHING_STATED } }),
  ).join('\r'),
);

/** The worked transaction with a drawn photo, in which a clinician states everything. */
async function transaction(): Promise<Bundle> {
  const bundle = JSON.parse(EXAMPLE) as Bundle;
  const [patient, , binary, media, order] = bundle.entry!;
  (binary!.resource as { data: string }).data = (await drawWoundPhoto({ seed: 3 })).toString('base64');
  (order!.resource as ServiceRequest).identifier![0]!.value = 'ORD-F';
  order!.request!.ifNoneExist = order!.request!.ifNoneExist!.replace('ORD-55012', 'ORD-F');
  const takenAt = (media!.resource as Media).createdDateTime;
  const { observations } = toReportResources(
    readingOf(reportsOf({ weeks: [9], content: { clinicianObservations: EVERYTHING_STATED } })),
    {
      patient: patient!.fullUrl!,
      performer: 'Organization/o1',
      encounter: null,
      order: null,
      document: null,
      snomed: true,
      style: 'discrete',
      findingsBefore: null,
      mediaOf: (imageId: string) => `Media/${imageId}`,
    },
  );
  const stated = observations
    .filter(({ id }) => id!.includes('-stated-'))
    .map(
      ({ resourceType, status, code, valueQuantity, valueCodeableConcept, valueInteger, valueString, component }) => ({
        resourceType,
        status,
        code,
        valueQuantity,
        valueCodeableConcept,
        valueInteger,
        valueString,
        component,
        subject: { reference: patient!.fullUrl! },
        effectiveDateTime: takenAt,
        derivedFrom: [{ reference: media!.fullUrl! }],
      }),
    );
  const entries = stated.map((resource, index) => ({
    fullUrl: `urn:uuid:b1f6a2de-6c1f-4a55-9a2b-0000000001${String(index).padStart(2, '0')}`,
    resource: resource as Observation,
    request: { method: 'POST' as const, url: 'Observation' },
  }));
  return { ...bundle, entry: [...bundle.entry!, ...entries] };
}

describe('what a clinician states', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;
  beforeAll(async () => {
    gateway = await sharedGateway();
    hospital = await Hl7Hospital.open(gateway);
  });
  afterAll(async () => {
    await hospital?.close();
  });

  const jobs = async (): Promise<Answer['body'][]> =>
    expectStatus(200, await hospital.client.request('GET', '/api/v1/analysis/jobs?limit=100')).body.items;

  it('is refused beyond its bounds, on the door that it came through', async () => {
    const sent = await hospital.client.request('POST', '/api/v1/analysis/jobs', {
      json: {
        imageId: 'none',
        clinicianObservations: { tunnelling: [{ clock: 13, depthCm: 1 }], infectionSigns: ['a\u0007b'] },
      },
    });
    expect(expectStatus(400, sent).body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/clinicianObservations/tunnelling/0/clock',
      '/clinicianObservations/infectionSigns/0',
    ]);
    const photo = await drawWoundPhoto({ seed: 4 });
    const rows = ['NM|72296-7^^LN|1.1|1|cm|||||F', 'NM|72297-5^^LN|1.1|13||||||F'];
    const answer = await hospital.send(orderMessage({ order: 'ORD-X', photo, rows }));
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AE');
  });

  it('comes in and goes out over HL7 v2', async () => {
    const photo = await drawWoundPhoto({ seed: 1 });
    const rows = ROWS.map((row) => `${row}|||||F`);
    const answer = await hospital.send(orderMessage({ order: 'ORD-H', photo, rows }));
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AA');
    expect(statedRows(await hospital.result('ORD-H'))).toEqual(ROWS);
    expect((await jobs()).map(({ clinicianObservations }) => clinicianObservations)).toEqual([EVERYTHING_STATED]);
  });

  it('comes in natively, and goes out as FHIR', async () => {
    const job = await hospital.client.analyse(await drawWoundPhoto({ seed: 2 }), {
      subject: { patientId: 'MRN-R', woundId: 'W-9' },
      capturedAt: '2026-03-15T09:12:00Z',
      calibration: { mmPerPixel: 0.2 },
      clinicianObservations: { ...EVERYTHING_STATED },
    });
    const reportId = (job.links.report as string).split('/').at(-1)!;
    const report = await eventually('the report is in FHIR', async () => {
      const shown = await hospital.client.request('GET', `/fhir/DiagnosticReport/${reportId}`);
      return shown.status === 200 ? shown.body : undefined;
    });
    const members: string[] = (await hospital.read<Observation>(`Observation/${reportId}-panel`)).hasMember!.map(
      ({ reference }) => reference!,
    );
    const stated = members.filter((reference) => reference.includes('-stated-'));
    expect(report.result.map(({ reference }: { reference: string }) => reference)).toEqual(
      expect.arrayContaining(stated),
    );
    const observations = await Promise.all(stated.map((reference) => hospital.read<Observation>(reference)));
    expect(merged(observations).clinicianObservations).toEqual(EVERYTHING_STATED);
    const text = await hospital.client.request('GET', `/api/v1/reports/${reportId}`, {
      headers: { accept: 'text/plain', 'accept-language': 'de' },
    });
    expect([text.status, text.bytes.toString('utf8').replaceAll('\u00a0', ' ')]).toEqual([
      200,
      expect.stringContaining('Unterminierung von 11 bis 1 Uhr, 0,5 cm tief.'),
    ]);
  });

  it('comes in as FHIR, and goes out over HL7 v2', async () => {
    const bytes = Buffer.from(JSON.stringify(await transaction()));
    const headers = { 'content-type': 'application/fhir+json' };
    expectStatus(200, await hospital.client.request('POST', '/fhir', { bytes, headers }));
    const result = await eventually('the result of the order', () =>
      hospital.receiver.messages.find((message) => fieldOf(message, 'PID', 3).startsWith('MRN-778812^')),
    );
    expect(statedRows(result)).toEqual(ROWS);
  });
});
