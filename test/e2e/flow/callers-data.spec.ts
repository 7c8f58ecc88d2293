import { ApiClient, type Answer } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { roundsOf } from '../../support/rounds.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const UNKNOWN = '0199e1c4-6b00-7d44-8b30-7a8b9c0d1e08';
/** Texts in the place of an id, a number or a date: what a database has no value for, as well as what it may misread. */
const TEXTS = [
  'undefined',
  'null',
  UNKNOWN,
  UNKNOWN.toUpperCase(),
  `{${UNKNOWN}}`,
  '0',
  '-1',
  '9'.repeat(400),
  '1e400',
  'NaN',
  '%00',
  'a%00b',
  '%ED%A0%80',
  "'",
  "' or 1=1 --",
  '\\',
  '{}',
  '[]',
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(3000),
];
const DATES = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999999999-14:00',
  '0000-00-00',
  '10000-01-01T00:00:00Z',
  '-0001-01-01',
  '2026-02-30',
  '9999',
  '0001',
];
const NUMBERS = [1e308, -1e308, 5e-324, 1e21, 123456789012345680000, -0];
const LONG = 'ü'.repeat(9000);

/** What no column takes: tried at every place in every run; within a transaction at each fourth. */
const WORST: ReadonlySet<unknown> = new Set([
  '%00',
  '%ED%A0%80',
  '9'.repeat(400),
  '1e400',
  '\u0000',
  LONG,
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999-14:00',
  '10000-01-01T00:00:00Z',
  '2026-02-30',
  1e308,
  5e-324,
]);
/** At a commit each other value is tried at each fourth place, every one at others; with full rounds at all of them. */
const EACH = roundsOf(10) < 10 ? 4 : 1;
const triedAt = <T>(place: number, values: readonly T[]): T[] =>
  values.filter((value, index) => WORST.has(value) || (index + place) % EACH === 0);
/** The same of the places of one value. */
const triedOf = <T>(value: unknown, at: number, places: readonly T[]): T[] =>
  places.filter((_, place) => WORST.has(value) || (at + place) % EACH === 0);

describe('data that a database has no value for', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let patient: string;
  let media: string;
  let data: string;
  const refused = new Set<number>();

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
    data = (await drawWoundPhoto({ width: 160, height: 120 })).toString('base64');
    patient = (await post({ resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'MRN-1' }] })).body
      .id as string;
    media = (
      await post({
        resourceType: 'Media',
        status: 'completed',
        subject: { reference: `Patient/${patient}` },
        content: { contentType: 'image/jpeg', data },
      })
    ).body.id as string;
  });

  const post = (resource: object) =>
    client.request('POST', `/fhir/${(resource as { resourceType: string }).resourceType}`, { json: resource });
  const subject = () => ({ reference: `Patient/${patient}` });

  /** No answer is a fault of the service. */
  async function expectNoFault(title: string, answer: Promise<Answer>): Promise<void> {
    const { status, body } = await answer;
    if (status >= 500)
      throw new Error(
        `${title}: ${status} ${JSON.stringify(body)}\n${
          gateway.logs
            .split('\n')
            .filter((line) => line.includes('http.failed'))
            .at(-1) ?? ''
        }`,
      );
    refused.add(status);
  }

  it('is no fault in an address', async () => {
    const paths = [
      '/api/v1/analysis/jobs/?',
      '/api/v1/analysis/jobs/?/artifacts/mask',
      '/api/v1/analysis/jobs?cursor=?',
      '/api/v1/analysis/jobs?patientId=?',
      '/api/v1/analysis/jobs?createdAfter=?',
      '/api/v1/wounds/?',
      '/api/v1/wounds/?/timeline',
      '/api/v1/wounds?patientId=?',
      '/api/v1/wounds?cursor=?',
      '/api/v1/reports/?',
      '/api/v1/reports/?/versions',
      '/fhir/Patient/?',
      '/fhir/Patient/?/_history',
      '/fhir/Patient/?/_history/?',
      '/fhir/Binary/?',
      '/fhir/Media/?',
      '/fhir/Task/?',
      `/fhir/Patient/${patient}/_history/?`,
      `/fhir/Patient/${patient}/_history?_since=?`,
    ];
    for (const [place, path] of paths.entries())
      for (const text of triedAt(place, TEXTS))
        await expectNoFault(
          `GET ${path} with ${text.slice(0, 40)}`,
          client.request(
            'GET',
            path.replace('?', () => text),
          ),
        );
    for (const text of TEXTS)
      await expectNoFault(`DELETE with ${text.slice(0, 40)}`, client.request('DELETE', `/api/v1/images/${text}`));
  });

  it('is no fault in a search', async () => {
    const statement = (await client.request('GET', '/fhir/metadata')).body as {
      rest: [{ resource: { type: string; searchParam?: { name: string; type: string }[] }[] }];
    };
    let place = 0;
    for (const { type, searchParam = [] } of statement.rest[0].resource) {
      for (const { name, type: kind } of searchParam) {
        const values =
          kind === 'date'
            ? [...DATES, 'lt0001', 'gt9999-12-31', 'ap9999']
            : kind === 'number' || kind === 'quantity'
              ? ['1e400', '9'.repeat(400), '-1e-400', 'gt1e308', '1|http://unitsofmeasure.org|cm2', 'ap5e-324']
              : ['undefined', 'Patient/undefined', '%00', '%ED%A0%80', "'", `|${'x'.repeat(1500)}`];
        place += 1;
        await Promise.all(
          triedAt(place, values).map((value) =>
            expectNoFault(
              `${type}?${name}=${value.slice(0, 40)}`,
              client.request('GET', `/fhir/${type}?${name}=${value}`),
            ),
          ),
        );
      }
    }
    const ofAll = ['_count', '_cursor', '_sort', '_lastUpdated', '_id', '_include', '_has:Observation:patient:code'];
    for (const [at, name] of ofAll.entries())
      for (const text of triedAt(at, TEXTS))
        await expectNoFault(`${name}=${text.slice(0, 40)}`, client.request('GET', `/fhir/Patient?${name}=${text}`));
  }, 240_000);

  it('is no fault in a job', async () => {
    const { imageId } = (await client.requestUpload()).body as { imageId: string };
    const bodies: object[] = [
      ...TEXTS.map((text) => ({ imageId: text })),
      ...DATES.map((capturedAt) => ({ imageId, capturedAt })),
      ...NUMBERS.map((mmPerPixel) => ({ imageId: media, calibration: { mmPerPixel } })),
      ...NUMBERS.map((depthCm) => ({ imageId: media, clinicianObservations: { depthCm } })),
      ...['\0', '\ud800', LONG].flatMap((text) => [
        { imageId: media, clinicalContext: text },
        { imageId: media, subject: { patientId: text } },
        { imageId: media, metadata: { note: text } },
        { imageId: media, metadata: { [text]: 'x' } },
      ]),
    ];
    for (const json of bodies) await expectNoFault(JSON.stringify(json).slice(0, 120), client.createJob(json));
    for (const key of ['\u00e9', 'x'.repeat(256), "'"])
      await expectNoFault(
        `Idempotency-Key ${key.slice(0, 10)}`,
        client.createJob({ imageId: media }, { 'idempotency-key': key }),
      );
  });

  it('is no fault in a resource', async () => {
    const observation = (more: object) => ({
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '39127-6' }] },
      subject: subject(),
      ...more,
    });
    const resources: object[] = [
      ...DATES.flatMap((date, at) =>
        triedOf(date, at, [
          observation({
            effectiveDateTime: date,
            valueQuantity: { value: 1, code: 'cm', system: 'http://unitsofmeasure.org' },
          }),
          {
            resourceType: 'Media',
            status: 'completed',
            subject: subject(),
            createdDateTime: date,
            content: { contentType: 'image/jpeg', data },
          },
          {
            resourceType: 'Encounter',
            status: 'finished',
            class: { code: 'AMB' },
            subject: subject(),
            period: { start: date, end: date },
          },
          {
            resourceType: 'Condition',
            subject: subject(),
            code: { text: 'x' },
            recordedDate: date,
            onsetDateTime: date,
          },
          { resourceType: 'Patient', birthDate: date.slice(0, 10) },
        ]),
      ),
      ...NUMBERS.flatMap((value) => [
        observation({ valueQuantity: { value, code: 'cm', system: 'http://unitsofmeasure.org' } }),
        {
          ...observation({ valueQuantity: { value, code: 'cm', system: 'http://unitsofmeasure.org' } }),
          code: { coding: [{ system: 'http://loinc.org', code: '72289-2' }] },
        },
      ]),
      ...TEXTS.flatMap((text, at) =>
        triedOf(text, at, [
          observation({
            derivedFrom: [{ reference: `Media/${text}` }],
            valueQuantity: { value: 1, code: 'cm', system: 'http://unitsofmeasure.org' },
          }),
          {
            resourceType: 'Media',
            status: 'completed',
            subject: { reference: `Patient/${text}` },
            content: { contentType: 'image/jpeg', data },
          },
          { resourceType: 'Media', status: 'completed', subject: subject(), content: { url: `Binary/${text}` } },
          {
            resourceType: 'Media',
            status: 'completed',
            subject: subject(),
            content: { url: `urn:sutura:image:${text}` },
          },
          { resourceType: 'BodyStructure', patient: { reference: `Patient/${text}` } },
          {
            resourceType: 'ServiceRequest',
            status: 'active',
            intent: 'order',
            subject: { reference: `Patient/${text}` },
            code: { coding: [{ system: 'http://loinc.org', code: '39135-9' }] },
          },
          {
            resourceType: 'Task',
            status: 'requested',
            intent: 'order',
            code: { coding: [{ code: 'fulfill' }] },
            focus: { reference: `Media/${text}` },
          },
        ]),
      ),
      ...['\u0000', '\ud800', LONG, ' '].flatMap((text) => [
        { resourceType: 'Patient', identifier: [{ system: `urn:oid:1.2.3`, value: text }] },
        { resourceType: 'Patient', identifier: [{ system: `urn:x:${text}`, value: 'x' }], name: [{ family: text }] },
        { resourceType: 'BodyStructure', patient: subject(), identifier: [{ value: text }], location: { text } },
        {
          resourceType: 'Condition',
          subject: subject(),
          code: { coding: [{ system: 'urn:x', code: text, display: text }] },
        },
      ]),
    ];
    for (const [place, resource] of resources.entries()) {
      await expectNoFault(JSON.stringify(resource).slice(0, 200), post(resource));
      if (place % EACH !== 0) continue;
      const { resourceType } = resource as { resourceType: string };
      const bundle = {
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [{ resource, request: { method: 'POST', url: resourceType } }],
      };
      await expectNoFault(
        `transaction of ${JSON.stringify(resource).slice(0, 200)}`,
        client.request('POST', '/fhir', { json: bundle }),
      );
    }
    for (const text of TEXTS)
      await expectNoFault(
        `If-None-Exist ${text.slice(0, 40)}`,
        client.request('POST', '/fhir/Patient', {
          json: { resourceType: 'Patient' },
          headers: { 'if-none-exist': `identifier=${text}` },
        }),
      );
  }, 240_000);

  it('is no fault in a change', async () => {
    const values = [...TEXTS, ...DATES, LONG, '\u0000'];
    const changes: readonly ((value: string) => readonly [path: string, operation: object])[] = [
      (value) => [`Media/${media}`, { op: 'replace', path: '/subject/reference', value: `Patient/${value}` }],
      (value) => [`Media/${media}`, { op: 'add', path: '/createdDateTime', value }],
      (value) => [
        `Patient/${patient}`,
        { op: 'add', path: '/identifier/-', value: { system: 'urn:oid:1.2.4', value } },
      ],
    ];
    for (const [place, change] of changes.entries())
      for (const value of triedAt(place, values)) {
        const [path, operation] = change(value);
        await expectNoFault(`${path} ${JSON.stringify(operation).slice(0, 120)}`, patch(`/fhir/${path}`, [operation]));
      }
  });

  it('is no fault in a message', async () => {
    const times = [
      ...DATES,
      '99991231235959',
      '00010101',
      '20260230',
      '20260101000000.9999+2500',
      '00000000',
      '9'.repeat(50),
    ];
    let sent = 0;
    for (const time of times) {
      for (const place of [7, 19]) {
        const message = [
          `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260105083000||ORU^R01^ORU_R01|${(sent += 1)}|T|2.5.1`,
          `PID|1||4711^^^HOSP^MR||Beispiel^Anna||${place === 7 ? time : '19510714'}`,
          `OBR|1|A-1^EHR||39135-9^Wound assessment panel^LN|||${time}`,
          `OBX|1|NM|39127-6^Depth^LN||1|cm|||||F|||${place === 19 ? time : ''}`,
        ].join('\r');
        const answer = await client.request('POST', '/hl7v2', {
          bytes: Buffer.from(`${message}\r`),
          headers: { 'content-type': 'application/hl7-v2' },
        });
        // HAPI's HL7 over HTTP has 500 for AE: whose fault it is, the acknowledgment says.
        expect([time, answer.bytes.toString()]).toEqual([
          time,
          expect.stringMatching(/\rMSA\|A[AE]\|(?![^]*\rERR\|[^\r]*\|207\^)/),
        ]);
      }
    }
  });

  it('was refused by name, and nothing of it was left to the database', () => {
    expect([...refused].filter((status) => status >= 500)).toEqual([]);
    expect(
      gateway.logs.split('\n').filter((line) => line.includes('database.refused') || line.includes('http.failed')),
    ).toEqual([]);
  });

  function patch(path: string, json: unknown): Promise<Answer> {
    return client.request('PATCH', path, { json, headers: { 'content-type': 'application/json-patch+json' } });
  }
});
