import { gzipSync } from 'node:zlib';
import type {
  Bundle,
  CapabilityStatement,
  DiagnosticReport,
  Media,
  OperationOutcome,
  Patient,
  Task,
} from '@medplum/fhirtypes';
import transactionRequest from '../../../fhir-profiles/examples/transaction-request.json' with { type: 'json' };
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus, type Answer, type ApiClient, type RequestOptions } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { becomes, content, secretOf, subscriptionTo } from '../../support/fhir-subscriptions.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { Webhook } from '../../support/standard-webhooks.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';
import { FHIR_XML, fromXml, toXml } from '../../support/xml-documents.js';

const XML = { accept: FHIR_XML, 'content-type': FHIR_XML };
const PATIENT: Patient = {
  resourceType: 'Patient',
  text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Wunde an der <b>Ferse</b></div>' },
  identifier: [{ system: 'urn:oid:2.999.1', value: 'XML-1' }],
  name: [{ family: 'Müller-Beispiel', given: ['Änne'] }],
};

let gateway: SharedGateway;
let client: ApiClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  gateway = await sharedGateway();
  client = await gateway.createClient();
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await receiver?.stop();
});

const call = (method: string, path: string, resource?: object, wish: RequestOptions = {}) =>
  client.request(method, `/fhir${path === '' ? '' : `/${path}`}`, {
    ...(resource === undefined ? {} : { bytes: toXml(resource) }),
    ...wish,
    headers: { ...XML, ...wish.headers },
  });
const shown = <T>(status: number, answer: Answer): T => {
  expectStatus(status, answer);
  expect(answer.headers.get('content-type')).toBe(`${FHIR_XML}; charset=utf-8`);
  return fromXml<T>(answer.bytes);
};

describe('a body in XML is refused', () => {
  it.each([
    ['that is no XML', '<Patient', 400, 'request-invalid', undefined, undefined],
    [
      'with a document type',
      '<!DOCTYPE a><Patient xmlns="http://hl7.org/fhir"/>',
      400,
      'request-invalid',
      undefined,
      undefined,
    ],
    ['of another namespace', '<Patient xmlns="urn:x"/>', 400, 'fhir-structure', 'Resource', undefined],
    [
      'with an unknown element',
      '<Patient xmlns="http://hl7.org/fhir"><contact/><contact><mood value="a"/></contact></Patient>',
      400,
      'fhir-structure',
      'Patient.contact[0]',
      '/f:Patient/f:contact[1]',
    ],
    [
      'with a wrong date',
      '<Patient xmlns="http://hl7.org/fhir"><birthDate value="yesterday"/></Patient>',
      400,
      'fhir-structure',
      'Patient.birthDate',
      '/f:Patient/f:birthDate',
    ],
  ])('%s, in XML, with the place', async (_, text, status, code, expression, location) => {
    const { issue } = shown<OperationOutcome>(
      status,
      await call('POST', 'Patient', undefined, { bytes: Buffer.from(text) }),
    );
    expect(issue[0]!.details!.coding![0]!.code).toBe(code);
    expect([issue[0]!.expression?.[0], issue[0]!.location?.[0]]).toEqual([expression, location]);
  });

  it('without a key, by a framework’s refusal, and for what is not there: in XML', async () => {
    for (const answer of [
      await call('GET', 'Patient', undefined, { key: null }),
      await call('GET', 'Nothing/1'),
      await call('GET', 'Patient/nobody'),
      await call('GET', '%zz'),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(shown<OperationOutcome>(answer.status, answer).resourceType).toBe('OperationOutcome');
    }
  });

  it('in JSON where the caller takes neither form', async () => {
    const answer = await client.request('GET', '/fhir/Patient', { headers: { accept: 'text/turtle' } });
    expect([answer.status, answer.body.resourceType]).toEqual([406, 'OperationOutcome']);
  });

  it('of an entry of a batch, at its place in the Bundle', async () => {
    const batch = {
      resourceType: 'Bundle',
      type: 'batch',
      entry: [{ resource: { ...PATIENT, birthDate: 'x' }, request: { method: 'POST', url: 'Patient' } }],
    };
    const answer = shown<Bundle>(200, await call('POST', '', batch));
    const outcome = answer.entry![0]!.response!.outcome as OperationOutcome;
    expect(outcome.issue[0]).toMatchObject({
      expression: ['Bundle.entry[0].resource.birthDate'],
      location: ['/f:Bundle/f:entry[1]/f:resource/f:Patient/f:birthDate'],
    });
  });
});

describe('XML through the gateway', () => {
  it('is stored as the same resource in JSON is, and read in either form', async () => {
    const created = shown<Patient>(
      201,
      await call('POST', 'Patient', PATIENT, { headers: { 'content-type': 'text/xml' } }),
    );
    expect(created).toMatchObject(PATIENT);
    const path = `Patient/${created.id}`;
    const json = expectStatus(200, await client.request('GET', `/fhir/${path}`)).body;
    expect(json).toEqual(created);
    const pretty = expectStatus(200, await client.request('GET', `/fhir/${path}?_format=xml&_pretty=true`));
    expect(pretty.bytes.toString('utf8')).toContain('\n  <name>\n    <family value="Müller-Beispiel"/>\n');
    expect(fromXml(pretty.bytes)).toEqual(created);
    const sent = await client.request('PUT', `/fhir/${path}`, { json: { ...json, gender: 'female' } });
    expect(sent.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
    const history = shown<Bundle>(200, await call('GET', `${path}/_history`));
    expect(history).toMatchObject({ type: 'history', total: 2 });
    const searched = shown<Bundle>(
      200,
      await call('POST', 'Patient/_search', undefined, {
        bytes: Buffer.from('identifier=XML-1&_summary=true'),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    );
    expect(searched.entry![0]!.resource).toMatchObject({
      id: created.id,
      gender: 'female',
      meta: { tag: [{ code: 'SUBSETTED' }] },
    });
    const outcome = shown<OperationOutcome>(
      200,
      await call('PUT', path, { ...created, gender: 'other' }, { headers: { prefer: 'return=OperationOutcome' } }),
    );
    expect(outcome.issue[0]!.severity).toBe('information');
    const checked = shown<OperationOutcome>(
      200,
      await call('POST', 'Patient/$validate', { ...PATIENT, birthDate: 'x' }),
    );
    expect(checked.issue[0]!.location).toEqual(['/f:Patient/f:birthDate']);
  });

  it('is listed by the CapabilityStatement, which is XML, too', async () => {
    const answer = await client.request('GET', '/fhir/metadata', { key: null, headers: { accept: 'application/xml' } });
    expect(shown<CapabilityStatement>(200, answer).format).toEqual([
      'application/fhir+json',
      'json',
      'application/fhir+xml',
      'xml',
    ]);
  });

  it('leads from an order with its photo, packed, to the report, its notification and its bytes', async () => {
    const wish = subscriptionTo(receiver.url, {}, { payload: FHIR_XML, ...content('id-only') });
    const subscription = shown<{ id: string }>(201, await call('POST', 'Subscription', wish));
    await becomes(client, subscription.id, 'active');

    const order = structuredClone(transactionRequest) as unknown as Bundle;
    const photo = (await drawSmallWoundPhoto({ seed: 1 })).toString('base64');
    const binary = order.entry!.find(({ resource }) => resource?.resourceType === 'Binary')!.resource as {
      data: string;
    };
    binary.data = photo.replaceAll(/.{76}/g, '$&\n');
    const packed = gzipSync(toXml(order));
    const sent = await call('POST', '', undefined, {
      bytes: packed,
      headers: { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' },
    });
    const answer = shown<Bundle>(200, sent);
    expect(answer).toMatchObject({ type: 'transaction-response' });
    const [, , media] = answer.entry!.map(({ response }) => response!.location!.split('/_history')[0]!);
    expect(answer.entry!.every(({ response }) => /^20[01]/.test(response!.status!))).toBe(true);
    const placed = answer.entry!.at(-1)!.response!.location!.split('/_history')[0]!;
    const task = await eventually('the Task has ended', async () => {
      const found = shown<Bundle<Task>>(200, await call('GET', `Task?focus=${placed}`)).entry?.[0]?.resource;
      return found?.status === 'completed' ? found : undefined;
    });
    const report = shown<DiagnosticReport>(200, await call('GET', task.output![0]!.valueReference!.reference!));
    expect(report).toMatchObject({ resourceType: 'DiagnosticReport', basedOn: [{ reference: placed }] });

    const inlined = shown<Media>(200, await call('GET', `${media!.replace('Binary', 'Media')}?_inline=true`));
    expect(inlined.content.data!.length).toBeGreaterThan(1000);
    const asResource = shown<{ contentType: string; data: string }>(200, await call('GET', media!));
    expect(asResource).toMatchObject({ resourceType: 'Binary', contentType: 'image/jpeg', data: inlined.content.data });
    const raw = await client.request('GET', `/fhir/${media}`);
    expect(raw.bytes.toString('base64')).toBe(asResource.data);

    const told = await eventually('the report is told', () =>
      receiver.received.find(({ body }) => body.includes(report.id!)),
    );
    expect(told.headers['content-type']).toBe(FHIR_XML);
    expect(fromXml<Bundle>(Buffer.from(told.body))).toMatchObject({ resourceType: 'Bundle', type: 'history' });
    const signedAt = new Date(Number(told.headers['webhook-timestamp']) * 1000);
    expect(told.headers['webhook-signature']).toBe(
      new Webhook(secretOf(subscription)).sign(told.id, signedAt, told.body),
    );
    const events = shown<Bundle>(200, await call('GET', `Subscription/${subscription.id}/$events?eventsSinceNumber=1`));
    expect(events.entry!.length).toBeGreaterThan(1);
  }, 120_000);
});
