import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bundle, DiagnosticReport, Media, Observation, ServiceRequest, Task } from '@medplum/fhirtypes';
import type { Answer, ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const EXAMPLE = readFileSync(resolve(__dirname, '../../../fhir-profiles/examples/transaction-request.json'), 'utf8');
const FHIR_JSON = 'application/fhir+json';
const PATIENT = { system: 'urn:oid:1.2.3.4.5.6', value: 'MRN-778812' };

/** The worked example with a drawn photo, and an order, a time and a scale of its own. */
async function assessment(order: string, seed: number, takenAt: string): Promise<Bundle> {
  const bundle = JSON.parse(EXAMPLE) as Bundle;
  const [, , binary, media, request] = bundle.entry!;
  (binary!.resource as { data: string }).data = (await drawSmallWoundPhoto({ seed })).toString('base64');
  (media!.resource as Media).createdDateTime = takenAt;
  (request!.resource as ServiceRequest).identifier![0]!.value = order;
  request!.request!.ifNoneExist = `identifier=urn:oid:1.2.3.4.5.7|${order}`;
  const spacing = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'https://sutura.dev/fhir/CodeSystem/wound-observation', code: 'pixel-spacing' }] },
    subject: { reference: bundle.entry![0]!.fullUrl },
    derivedFrom: [{ reference: media!.fullUrl }],
    valueQuantity: { value: 0.2, unit: 'mm/pixel', system: 'http://unitsofmeasure.org', code: 'mm/{pixel}' },
  } as Observation;
  return {
    ...bundle,
    entry: [
      ...bundle.entry!,
      {
        fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000006',
        resource: spacing,
        request: { method: 'POST', url: 'Observation' },
      },
    ],
  };
}

let gateway: SharedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await sharedGateway();
});
beforeEach(async () => {
  client = await gateway.createClient();
});

const post = (bundle: unknown, headers: Record<string, string> = {}) =>
  client.request('POST', '/fhir', {
    bytes: Buffer.from(JSON.stringify(bundle)),
    headers: { 'content-type': FHIR_JSON, ...headers },
  });
const read = async <T>(path: string): Promise<T> => {
  const answer = await client.request('GET', `/fhir/${path}`);
  if (answer.status !== 200)
    throw new Error(`${path}: ${answer.status} ${answer.bytes.toString('utf8').slice(0, 500)}`);
  return answer.body as T;
};
const locations = ({ body }: Answer): string[] =>
  (body as Bundle).entry!.map(({ response }) => response!.location!.split('/_history')[0]!);

async function taskOf(order: string): Promise<Task> {
  return eventually(`the Task of ${order} has ended`, async () => {
    const task = (await read<Bundle<Task>>(`Task?focus=${order}`)).entry?.[0]?.resource;
    return ['completed', 'failed', 'rejected'].includes(task?.status ?? '') ? task : undefined;
  });
}

describe('a transaction through the gateway', () => {
  it('leads from the order to the report, and the second photo of the wound to its progress', async () => {
    const first = await post(await assessment('ORD-1', 1, '2026-03-01T09:40:00+01:00'));
    expect([first.status, first.headers.get('content-type')]).toEqual([200, `${FHIR_JSON}; charset=utf-8`]);
    expect(first.body).toMatchObject({ resourceType: 'Bundle', type: 'transaction-response' });
    const [patient, wound, binary, media, order] = locations(first);
    expect(binary!.split('/')[1]).toBe(media!.split('/')[1]);

    const task = await taskOf(order!);
    expect(task).toMatchObject({
      status: 'completed',
      for: { reference: patient },
      focus: { reference: order },
      input: expect.arrayContaining([expect.objectContaining({ valueReference: { reference: media } })]),
    });
    const report = await read<DiagnosticReport>(task.output![0]!.valueReference!.reference!);
    expect(report).toMatchObject({
      status: 'preliminary',
      subject: { reference: patient },
      basedOn: [{ reference: order }],
      media: [{ link: { reference: media } }],
    });
    const native = await client.request('GET', `/api/v1/reports/${report.id}`);
    expect([native.status, native.body.jobId]).toEqual([200, task.id]);

    const second = await post(await assessment('ORD-2', 2, '2026-03-15T09:40:00+01:00'));
    expect((second.body as Bundle).entry!.slice(0, 2).map(({ response }) => response!.status)).toEqual([
      '200 OK',
      '200 OK',
    ]);
    expect(locations(second).slice(0, 2)).toEqual([patient, wound]);
    const later = (await taskOf(locations(second)[4]!)).output![0]!.valueReference!.reference!;
    const found = await read<Bundle<DiagnosticReport | Observation>>(
      `DiagnosticReport?_id=${later.split('/')[1]}&_include=DiagnosticReport:result`,
    );
    const codes = found.entry!.flatMap(({ resource }) =>
      resource?.resourceType === 'Observation' ? resource.code.coding!.map(({ code }) => code) : [],
    );
    expect(codes).toEqual(
      expect.arrayContaining(['39135-9', '89260-4', '39126-8', '39125-0', 'area-change-since-previous']),
    );
    for (const { resource } of found.entry!) {
      const verdict = await client.request('POST', `/fhir/${resource!.resourceType}/$validate`, {
        bytes: Buffer.from(JSON.stringify(resource)),
        headers: { 'content-type': FHIR_JSON },
      });
      expect(
        (verdict.body.issue as { severity: string }[]).filter(
          ({ severity }) => severity === 'error' || severity === 'fatal',
        ),
      ).toEqual([]);
    }
    const history = await read<Bundle>(`DiagnosticReport?patient=${patient}&wound=${wound}&_sort=date`);
    expect(history.entry!.map(({ resource }) => `DiagnosticReport/${resource!.id}`)).toEqual([
      `DiagnosticReport/${report.id}`,
      later,
    ]);
  });

  it('is refused as a whole, photo and all, where one order is over the quota', async () => {
    client = await gateway.createClient('free');
    const imageId = await client.uploadPhoto(await drawSmallWoundPhoto());
    for (let count = 0; count < 25; count += 1) expect((await client.createJob({ imageId })).status).toBe(201);
    const refused = await post(await assessment('ORD-1', 1, '2026-03-01T09:40:00+01:00'));
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, `${FHIR_JSON}; charset=utf-8`]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [
        { code: 'throttled', details: { coding: [{ code: 'quota-exceeded' }] }, expression: ['Bundle.entry[4]'] },
      ],
    });
    expect((await read<Bundle>(`Patient?identifier=${PATIENT.system}|${PATIENT.value}`)).total).toBe(0);
    expect((await read<Bundle>('Media?_summary=count')).total).toBe(0);
  });

  it('is done once however often it is repeated under one Idempotency-Key', async () => {
    const bundle = await assessment('ORD-1', 1, '2026-03-01T09:40:00+01:00');
    const first = await post(bundle, { 'idempotency-key': 'bundle-1', prefer: 'return=representation' });
    const again = await post(bundle, { 'idempotency-key': 'bundle-1', prefer: 'return=representation' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(locations(again)).toEqual(locations(first));
    expect((first.body as Bundle).entry![0]!.resource).toMatchObject({ resourceType: 'Patient' });
    expect((again.body as Bundle).entry![0]!.resource).toBeUndefined();
    expect((await post({ ...bundle, type: 'batch' }, { 'idempotency-key': 'bundle-2' })).status).toBe(200);
    const other = await assessment('ORD-9', 1, '2026-03-01T09:40:00+01:00');
    expect((await post(other, { 'idempotency-key': 'bundle-1' })).status).toBe(422);
  });

  it('[F35] twenty conditional creates at once are one 201 and nineteen 200', async () => {
    const create = () =>
      client.request('POST', '/fhir/Patient', {
        bytes: Buffer.from(JSON.stringify({ resourceType: 'Patient', identifier: [PATIENT] })),
        headers: { 'content-type': FHIR_JSON, 'if-none-exist': `identifier=${PATIENT.system}|${PATIENT.value}` },
      });
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
  });

  it('says of each Bundle that cannot be why, and keeps the tenants apart', async () => {
    const tooMany = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: Array.from({ length: 501 }, () => ({ request: { method: 'GET', url: 'Patient/1' } })),
    };
    const answers = await Promise.all(
      [tooMany, { resourceType: 'Bundle', type: 'document' }, { resourceType: 'Patient' }].map((bundle) =>
        post(bundle),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.issue[0].code])).toEqual([
      [413, 'too-long'],
      [400, 'not-supported'],
      [400, 'invalid'],
    ]);

    const [patient] = locations(await post(await assessment('ORD-1', 1, '2026-03-01T09:40:00+01:00')));
    const stranger = await gateway.createClient();
    client = stranger;
    const stolen = await post({
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        {
          resource: { resourceType: 'BodyStructure', patient: { reference: patient } },
          request: { method: 'POST', url: 'BodyStructure' },
        },
      ],
    });
    expect([stolen.status, stolen.body.issue[0].expression]).toEqual([400, ['Bundle.entry[0].resource.patient']]);
    expect((await read<Bundle>('BodyStructure?_summary=count')).total).toBe(0);
  });
});
