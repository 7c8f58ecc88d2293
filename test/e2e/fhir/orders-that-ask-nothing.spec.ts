import { expectStatus, type Answer, type ApiClient } from '../../support/api-client.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const PANEL = { coding: [{ system: 'http://loinc.org', code: '39135-9' }] };

/** What a request asks for that is no order, and the words in which its sender is told. */
const REQUESTS: readonly [title: string, changes: object, words: RegExp][] = [
  ['that is not to be performed', { doNotPerform: true }, /doNotPerform/],
  ['that is proposed', { intent: 'proposal' }, /intent/],
  ['that is planned', { intent: 'plan' }, /intent/],
  ['that is a directive', { intent: 'directive' }, /intent/],
  ['that is an option', { intent: 'option' }, /intent/],
  ['that is a draft', { status: 'draft' }, /draft/],
  ['that is on hold', { status: 'on-hold' }, /on hold/],
  ['that is revoked', { status: 'revoked' }, /revoked/],
];

describe('a ServiceRequest of a wound assessment', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let patient: string;
  let photo: string;

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
    patient = `Patient/${(await create({ resourceType: 'Patient' })).body.id}`;
    photo = (await drawWoundPhoto({ width: 300, height: 200 })).toString('base64');
  });

  const create = async (
    resource: { readonly resourceType: string; readonly [element: string]: unknown },
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    expectStatus(201, await client.request('POST', `/fhir/${resource.resourceType}`, { json: resource, headers }));
  const mediaOf = (more: object = {}) => ({
    resourceType: 'Media',
    status: 'completed',
    subject: { reference: patient },
    content: { contentType: 'image/jpeg', data: photo },
    ...more,
  });
  const orderOf = (more: object = {}) => ({
    resourceType: 'ServiceRequest',
    status: 'active',
    intent: 'order',
    code: PANEL,
    subject: { reference: patient },
    ...more,
  });
  const PREFER = { prefer: 'return=OperationOutcome' };
  const warnedOf = ({ body }: Answer): string[] =>
    body.issue
      .filter(({ severity }: { severity: string }) => severity === 'warning')
      .map(({ details }: { details: { text: string } }) => details.text);
  const tasksOf = async (order: string): Promise<string[]> =>
    ((await client.request('GET', `/fhir/Task?focus=${order}`)).body.entry ?? []).map(
      ({ resource }: { resource: { status: string } }) => resource.status,
    );
  const used = async (): Promise<number> => (await client.request('GET', '/api/v1/usage')).body.used as number;
  const idOf = ({ headers }: Answer): string => /ServiceRequest\/[^/]+/.exec(headers.get('location')!)![0];

  it.each(REQUESTS)('%s has nothing analysed or charged, and its sender is told', async (_title, changes, words) => {
    const before = await used();
    const media = await create(mediaOf());
    const placed = await create(
      orderOf({ ...changes, supportingInfo: [{ reference: `Media/${media.body.id}` }] }),
      PREFER,
    );
    expect(warnedOf(placed)).toEqual([expect.stringMatching(words)]);
    const order = idOf(placed);
    const late = await create(mediaOf({ basedOn: [{ reference: order }] }), PREFER);
    expect(warnedOf(late)).toEqual([expect.stringMatching(words)]);
    const asked = await client.request('POST', '/fhir/Task', {
      json: {
        resourceType: 'Task',
        status: 'requested',
        intent: 'order',
        code: { coding: [{ system: 'http://hl7.org/fhir/CodeSystem/task-code', code: 'fulfill' }] },
        focus: { reference: order },
        input: [
          {
            type: { coding: [{ system: 'https://sutura.dev/fhir/CodeSystem/task-input', code: 'image' }] },
            valueReference: { reference: `Media/${media.body.id}` },
          },
        ],
      },
    });
    expect([asked.status, asked.body.issue?.[0]?.details?.text]).toEqual([422, expect.stringMatching(words)]);
    expect([await tasksOf(order), await used()]).toEqual([[], before]);
  });

  it('is analysed once it is an order after all, and says nothing then', async () => {
    const media = await create(mediaOf());
    const placed = await create(orderOf({ intent: 'plan', supportingInfo: [{ reference: `Media/${media.body.id}` }] }));
    const order = `ServiceRequest/${placed.body.id}`;
    expect(await tasksOf(order)).toEqual([]);
    const changed = expectStatus(
      200,
      await client.request('PUT', `/fhir/${order}`, { json: { ...placed.body, intent: 'order' }, headers: PREFER }),
    );
    expect(warnedOf(changed)).toEqual([]);
    expect(await tasksOf(order)).toHaveLength(1);
  });

  it('ends what waits for its photo when it says that it is not to be performed', async () => {
    const placed = await create(orderOf());
    const order = `ServiceRequest/${placed.body.id}`;
    expect(await tasksOf(order)).toEqual(['received']);
    expectStatus(200, await client.request('PUT', `/fhir/${order}`, { json: { ...placed.body, doNotPerform: true } }));
    expect(await tasksOf(order)).toEqual(['cancelled']);
  });

  it('warns in the entry of a Bundle', async () => {
    const { body } = expectStatus(
      200,
      await client.request('POST', '/fhir', {
        json: {
          resourceType: 'Bundle',
          type: 'transaction',
          entry: [{ resource: orderOf({ doNotPerform: true }), request: { method: 'POST', url: 'ServiceRequest' } }],
        },
      }),
    );
    expect(body.entry[0].response.outcome.issue[0]).toMatchObject({
      severity: 'warning',
      details: { text: expect.stringContaining('doNotPerform') },
    });
  });
});

describe('criteria that choose one resource', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let known: string;
  const SYSTEM = 'urn:oid:1.2.3.77';

  beforeAll(async () => {
    gateway = await sharedGateway();
    client = await gateway.createClient();
    known = (await post({}, 'MRN-1')).body.id as string;
  });

  const patientOf = (value: string) => ({ resourceType: 'Patient', identifier: [{ system: SYSTEM, value }] });
  const post = (headers: Record<string, string>, value: string): Promise<Answer> =>
    client.request('POST', '/fhir/Patient', { json: patientOf(value), headers });
  const refusalOf = ({ status, body }: Answer): unknown => [status, body.issue?.[0]?.details?.text];
  const LACKING = [400, expect.stringContaining('lacks its value')];

  it.each([
    ['identifier=SYSTEM|'],
    ['identifier=SYSTEM|%20'],
    ['identifier='],
    ['identifier=|'],
    ['identifier=SYSTEM|MRN-1,SYSTEM|'],
    ['identifier=SYSTEM|MRN-1&identifier=SYSTEM|'],
  ])('that name an identifier without its value are refused: %s', async (criteria) => {
    const written = criteria.replaceAll('SYSTEM', SYSTEM);
    expect(refusalOf(await post({ 'if-none-exist': written }, 'MRN-2'))).toEqual(LACKING);
    expect(refusalOf(await client.request('PUT', `/fhir/Patient?${written}`, { json: patientOf('MRN-2') }))).toEqual(
      LACKING,
    );
    const bundle = (type: string, entry: object) =>
      client.request('POST', '/fhir', { json: { resourceType: 'Bundle', type, entry: [entry] } });
    const request = { method: 'POST', url: 'Patient', ifNoneExist: written };
    expect(refusalOf(await bundle('transaction', { resource: patientOf('MRN-2'), request }))).toEqual(LACKING);
    const batch = await bundle('batch', { resource: patientOf('MRN-2'), request });
    expect(batch.body.entry[0].response).toMatchObject({ status: expect.stringMatching(/^400/) });
    const media = { resourceType: 'BodyStructure', patient: { reference: `Patient?${written}` } };
    expect(
      refusalOf(await bundle('transaction', { resource: media, request: { method: 'POST', url: 'BodyStructure' } })),
    ).toEqual(LACKING);
    expect((await client.request('GET', `/fhir/Patient?identifier=${SYSTEM}|`)).body.total).toBe(1);
  });

  it.each(['identifier:not=x|y', 'identifier:missing=false', 'identifier:text=abc'])(
    'that name none are refused: %s',
    async (criteria) => {
      expect(refusalOf(await post({ 'if-none-exist': criteria }, 'MRN-2'))).toEqual([
        400,
        expect.stringContaining('without a modifier'),
      ]);
    },
  );

  it('without a system mean an identifier that has none', async () => {
    const json = { ...patientOf('MRN-1'), identifier: [{ value: 'MRN-1' }] };
    const headers = { 'if-none-exist': 'identifier=|MRN-1' };
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await client.request('POST', '/fhir/Patient', { json, headers })).status);
    expect(statuses).toEqual([201, 200]);
  });

  it('with both find the resource', async () => {
    const found = await post({ 'if-none-exist': `identifier=${SYSTEM}|MRN-1` }, 'MRN-1');
    expect([found.status, found.headers.get('location')]).toEqual([200, expect.stringContaining(known)]);
  });
});
