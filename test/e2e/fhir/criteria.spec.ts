import type { Bundle, Resource } from '@medplum/fhirtypes';
import { ApiClient, expectStatus, type Answer } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';

const MRN = 'urn:oid:1.2.3';
const SERVER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

describe('criteria that choose what is written', () => {
  let gateway: SharedGateway;
  let client: ApiClient;
  let organizationId: string;
  let numbers = 0;

  beforeAll(async () => {
    gateway = await sharedGateway();
    organizationId = await gateway.createOrganization();
    client = new ApiClient(gateway.baseUrl, (await gateway.createKey(organizationId)).key);
  });

  const next = (prefix: string): string => `${prefix}-${(numbers += 1)}`;
  const conditionOf = (patient: string, more: object = {}) => ({
    resourceType: 'Condition',
    subject: { reference: `Patient/${patient}` },
    code: { text: 'Pressure sore' },
    ...more,
  });
  const putWhere = (query: string, resource: object): Promise<Answer> =>
    client.request('PUT', `/fhir/${query}`, { json: resource });
  const read = (path: string): Promise<Answer> => client.request('GET', `/fhir/${path}`);
  const post = (type: 'transaction' | 'batch', entry: readonly object[]): Promise<Answer> =>
    client.request('POST', '/fhir', { json: { resourceType: 'Bundle', type, entry } });
  const statuses = ({ body }: Answer): string[] =>
    ((body as Bundle).entry ?? []).map(({ response }) => response!.status.slice(0, 3));
  const criteria = (value: string): string => `Patient?identifier=${encodeURIComponent(`${MRN}|${value}`)}`;
  const withNumber = (value: string, more: object = {}) => ({
    resourceType: 'Patient',
    identifier: [{ system: MRN, value }],
    ...more,
  });

  it('of a POST are those of If-None-Exist: nothing is made twice, and criteria that are none are named', async () => {
    const number = next('n');
    const postTo = (address: string, json: object, headers: Record<string, string> = {}) =>
      client.request('POST', `/fhir/${address}`, { json, headers });
    expectStatus(400, await postTo('Patient?colour=red', withNumber(number)));
    expectStatus(
      400,
      await postTo(criteria(number), withNumber(number), { 'if-none-exist': `identifier=${MRN}|${number}` }),
    );
    const made = expectStatus(201, await postTo(criteria(number), withNumber(number)));
    expect(expectStatus(200, await postTo(`${criteria(number)}&_format=json`, withNumber(number))).body).toEqual(
      made.body,
    );
    expectStatus(201, await postTo('Patient?_format=json&_pretty=true', withNumber(next('n'))));
  });

  it('of If-None-Exist are those of another type or server: refused in words', async () => {
    const number = next('n');
    const query = `identifier=${MRN}|${number}`;
    for (const [written, words] of [
      [`Encounter?${query}`, 'about Encounter'],
      [`https://ehr.example/fhir/Patient?${query}`, 'not'],
    ] as const) {
      const headers = { 'if-none-exist': written };
      const { status, body } = await client.request('POST', '/fhir/Patient', { json: withNumber(number), headers });
      expect([status, body.issue[0].details.text]).toEqual([400, expect.stringContaining(words)]);
      expect(body.issue[0].expression).toEqual(['http.header.If-None-Exist']);
    }
    const entry = [
      { resource: withNumber(number), request: { method: 'POST', url: 'Patient', ifNoneExist: 'Encounter?_id=1' } },
    ];
    for (const type of ['transaction', 'batch'] as const) {
      const { body } = await post(type, entry);
      const outcome = type === 'batch' ? body.entry[0].response.outcome : body;
      expect(outcome.issue[0].expression).toEqual(['Bundle.entry[0].request.ifNoneExist']);
    }
    expect((expectStatus(200, await read(criteria(number))).body as Bundle).entry ?? []).toEqual([]);
  });

  it('of If-None-Exist are read alone, behind the type, and as an address of this server: one resource', async () => {
    const number = next('n');
    const query = `identifier=${MRN}|${number}`;
    const forms = [query, `?${query}`, `Patient?${query}`, `${gateway.baseUrl}/fhir/Patient?${query}`];
    const seen: number[] = [];
    for (const form of forms) {
      const headers = { 'if-none-exist': form };
      seen.push((await client.request('POST', '/fhir/Patient', { json: withNumber(number), headers })).status);
      const entry = [{ resource: withNumber(number), request: { method: 'POST', url: 'Patient', ifNoneExist: form } }];
      seen.push(Number(statuses(expectStatus(200, await post('transaction', entry)))[0]));
      seen.push(Number(statuses(expectStatus(200, await post('batch', entry)))[0]));
    }
    expect(seen).toEqual([201, ...Array.from({ length: 11 }, () => 200)]);
  });

  it.each(['nobody has', 'is changed away'])(
    'that the resource itself does not meet are refused, since each repeat would make one more: what %s',
    async (what) => {
      const [number, other] = [next('n'), next('n')];
      if (what === 'is changed away') expectStatus(201, await putWhere(criteria(number), withNumber(number)));
      const resources = () =>
        queryDatabase(gateway.databaseUrl, 'select count(*) from fhir_resources where organization_id = $1', [
          organizationId,
        ]);
      const before = await resources();
      const wrong = withNumber(other);
      const refused = await putWhere(criteria(number), wrong);
      expect([refused.status, refused.body.issue[0].details.text]).toEqual([
        422,
        expect.stringContaining('each repeat would make another one'),
      ]);
      expectStatus(422, await putWhere(`Patient?name=Nobody${number}`, wrong));
      const entry = [{ resource: wrong, request: { method: 'PUT', url: criteria(number) } }];
      expect((await post('transaction', entry)).status).toBe(422);
      if (what === 'nobody has') {
        const headers = { 'if-none-exist': `identifier=${MRN}|${number}` };
        expectStatus(422, await client.request('POST', '/fhir/Patient', { json: wrong, headers }));
        const posted = [
          {
            resource: wrong,
            request: { method: 'POST', url: 'Patient', ifNoneExist: `identifier=${MRN}|${number}` },
          },
        ];
        const answer = await post('transaction', posted);
        expect([answer.status, answer.body.issue[0].expression]).toEqual([422, ['Bundle.entry[0].resource']]);
        expect(statuses(expectStatus(200, await post('batch', posted)))).toEqual(['422']);
      }
      expect(await resources()).toEqual(before);
    },
  );

  it('of several parameters are met by what the resource has', async () => {
    const number = next('n');
    const query = `Patient?identifier=${MRN}|${number}&gender=female`;
    expectStatus(422, await putWhere(query, withNumber(number, { gender: 'male' })));
    const made = expectStatus(201, await putWhere(query, withNumber(number, { gender: 'female' })));
    expect(expectStatus(200, await putWhere(query, withNumber(number, { gender: 'female' }))).body.id).toBe(
      made.body.id,
    );
  });

  it('are refused without any, where several match, with another id than that of the match, and for types that have none', async () => {
    const number = next('n');
    expectStatus(400, await putWhere('Patient', withNumber(number)));
    const { id } = expectStatus(201, await putWhere(criteria(number), withNumber(number))).body;
    expectStatus(400, await putWhere(criteria(number), withNumber(number, { id: 'another' })));
    expectStatus(400, await putWhere(criteria(next('n')).replace('identifier', 'unknown'), withNumber(number)));
    expectStatus(409, await putWhere(criteria(next('n')), withNumber(number, { id })));
    for (const _ of [1, 2])
      expectStatus(
        201,
        await client.request('POST', '/fhir/Condition', {
          json: {
            ...conditionOf('y', {
              subject: { reference: `Patient/${id}` },
              code: { coding: [{ system: 'urn:c', code: number }] },
            }),
          },
        }),
      );
    expectStatus(412, await putWhere(`Condition?code=${number}`, conditionOf(id)));
    expectStatus(405, await putWhere('Task?_id=1', { resourceType: 'Task', status: 'requested', intent: 'order' }));
  });

  it('create what is not there, once however many ask at once, and change what is', async () => {
    const number = next('n');
    const answers = await Promise.all(Array.from({ length: 6 }, () => putWhere(criteria(number), withNumber(number))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => (body as Resource).id)).size).toBe(1);
    const changed = expectStatus(
      200,
      await putWhere(criteria(number), withNumber(number, { id: answers[0]!.body.id, gender: 'other' })),
    );
    expect(changed.body).toMatchObject({ gender: 'other', meta: { versionId: '2' } });
  });

  it('create under the id that the resource names, and in a transaction', async () => {
    const [number, id] = [next('n'), next('p')];
    expect(expectStatus(201, await putWhere(criteria(number), withNumber(number, { id }))).body.id).toMatch(SERVER_ID);
    expect(expectStatus(200, await read(`Patient/${id}`)).body.identifier[0].value).toBe(number);
    const other = next('n');
    const entry = [
      {
        fullUrl: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000002',
        resource: withNumber(other),
        request: { method: 'PUT', url: criteria(other) },
      },
      {
        resource: {
          ...conditionOf('y'),
          subject: { reference: 'urn:uuid:b1f6a2de-6c1f-4a55-9a2b-000000000002' },
        },
        request: { method: 'POST', url: 'Condition' },
      },
    ];
    expect(statuses(expectStatus(200, await post('transaction', entry)))).toEqual(['201', '201']);
    expect(statuses(expectStatus(200, await post('transaction', entry)))).toEqual(['200', '201']);
    expect(
      (expectStatus(200, await read(`Condition?patient.identifier=${MRN}|${other}`)).body as Bundle).entry,
    ).toHaveLength(2);
  });
});
