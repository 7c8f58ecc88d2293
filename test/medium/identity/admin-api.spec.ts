import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { ADMIN_TOKEN, startInstance } from './identity-ground.js';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & {
    readonly items?: Record<string, unknown>[];
    readonly errors?: { pointer: string }[];
  };
}

let database: TestDatabase;
let app: NestFastifyApplication;

async function callOn(
  target: NestFastifyApplication,
  method: Method,
  path: string,
  payload?: unknown,
  token: string | null = ADMIN_TOKEN,
): Promise<Answer> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await target.inject({
    method,
    url: `/admin/v1${path}`,
    headers,
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json<Answer['body']>() };
}

const call = (method: Method, path: string, payload?: unknown): Promise<Answer> => callOn(app, method, path, payload);
const createOrganization = async (plan = 'pro'): Promise<string> =>
  (await call('POST', '/organizations', { name: 'Clinic', plan })).body['organizationId'] as string;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startInstance(database.url);
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

const ROUTES: [Method, string][] = [
  ['POST', '/organizations'],
  ['GET', '/organizations'],
  ['PATCH', `/organizations/${randomUUID()}`],
  ['GET', `/organizations/${randomUUID()}/usage`],
  ['POST', `/organizations/${randomUUID()}/keys`],
  ['GET', `/organizations/${randomUUID()}/keys`],
  ['POST', `/keys/${randomUUID()}/rotate`],
  ['DELETE', `/keys/${randomUUID()}`],
];

test('every route is as if it were not there where no credential is set', async () => {
  const off = await startInstance(database.url, {});
  for (const [method, path] of ROUTES)
    expect(await callOn(off, method, path)).toMatchObject({ status: 404, body: { code: 'route.not_found' } });
  await off.close();
});

test.each(ROUTES)('%s %s is refused without the credential', async (method, path) => {
  expect(await callOn(app, method, path, undefined, null)).toMatchObject({
    status: 401,
    body: { code: 'auth.missing' },
  });
});

test.each([
  ['no body', undefined, ''],
  ['no plan', { name: 'A' }, '/plan'],
  ['an unknown plan', { name: 'A', plan: 'gold' }, '/plan'],
  ['an empty name', { name: '', plan: 'pro' }, '/name'],
  ['an unknown field', { name: 'A', plan: 'pro', admin: true }, '/admin'],
])('an organization with %s is refused', async (_, payload, pointer) => {
  const { status, body } = await call('POST', '/organizations', payload);
  expect([status, body['code'], body.errors?.map((error) => error.pointer)]).toEqual([
    400,
    'request.invalid',
    [pointer],
  ]);
});

test.each([
  ['nothing to change', {}, ''],
  ['a negative limit', { dailyLimit: -1 }, '/dailyLimit'],
  ['a broken limit', { dailyLimit: 1.5 }, '/dailyLimit'],
  ['the stored name of the limit', { dailyLimit: 5, dailyLimitOverride: 5 }, '/dailyLimitOverride'],
  ['an unknown policy', { resultPolicy: 'auto' }, '/resultPolicy'],
  ['an address for a host', { imageHosts: ['https://images.example/'] }, '/imageHosts/0'],
  ['a host with a wild card', { imageHosts: ['*.example'] }, '/imageHosts/0'],
  ['a frame over http', { reviewFrameOrigins: ['http://ehr.example'] }, '/reviewFrameOrigins/0'],
  ['a frame with a path', { reviewFrameOrigins: ['https://ehr.example/'] }, '/reviewFrameOrigins/0'],
  ['a page over http', { browserOrigins: ['http://ehr.example'] }, '/browserOrigins/0'],
  ['a page with a path', { browserOrigins: ['https://ehr.example/'] }, '/browserOrigins/0'],
  ['pages of everybody', { browserOrigins: ['*'] }, '/browserOrigins/0'],
  ['a page of any port of this machine', { browserOrigins: ['http://localhost'] }, '/browserOrigins/0'],
  ['a frame with a wild card', { reviewFrameOrigins: ['https://*.example'] }, '/reviewFrameOrigins/0'],
  ['an offset for a time zone', { timeZone: '+02:00' }, '/timeZone'],
  ['a flag as text', { autoAnalyze: 'true' }, '/autoAnalyze'],
])('a change with %s is refused', async (_, payload, pointer) => {
  const { status, body } = await call('PATCH', `/organizations/${await createOrganization()}`, payload);
  expect([status, body.errors?.map((error) => error.pointer)]).toEqual([400, [pointer]]);
});

test.each([
  ['no scopes', { environment: 'test', scopes: [] }, '/scopes'],
  ['an unknown scope', { environment: 'test', scopes: ['analysis:delete'] }, '/scopes/0'],
  ['a scope twice', { environment: 'test', scopes: ['images:write', 'images:write'] }, '/scopes'],
  ['another environment', { environment: 'staging', scopes: ['images:write'] }, '/environment'],
  [
    'an expiry in the past',
    { environment: 'test', scopes: ['images:write'], expiresAt: '2020-01-01T00:00:00Z' },
    '/expiresAt',
  ],
  [
    'an expiry without a zone',
    { environment: 'test', scopes: ['images:write'], expiresAt: '2099-01-01T00:00:00' },
    '/expiresAt',
  ],
])('a key with %s is refused', async (_, payload, pointer) => {
  const { status, body } = await call('POST', `/organizations/${await createOrganization()}/keys`, payload);
  expect([status, body.errors?.map((error) => error.pointer)]).toEqual([400, [pointer]]);
});

test('unknown and malformed ids are not found', async () => {
  for (const id of [randomUUID(), 'nonsense', '%2e%2e%2f', 'a%00b']) {
    expect(await call('PATCH', `/organizations/${id}`, { plan: 'pro' })).toMatchObject({
      status: 404,
      body: { code: 'organization.not_found' },
    });
    expect(await call('GET', `/organizations/${id}/usage`)).toMatchObject({
      status: 404,
      body: { code: 'organization.not_found' },
    });
    expect(await call('GET', `/organizations/${id}/keys`)).toMatchObject({
      status: 404,
      body: { code: 'organization.not_found' },
    });
    expect(
      await call('POST', `/organizations/${id}/keys`, { environment: 'test', scopes: ['images:write'] }),
    ).toMatchObject({ status: 404, body: { code: 'organization.not_found' } });
    expect(await call('POST', `/keys/${id}/rotate`)).toMatchObject({ status: 404, body: { code: 'key.not_found' } });
    expect(await call('DELETE', `/keys/${id}`)).toMatchObject({ status: 404, body: { code: 'key.not_found' } });
  }
});

test('the limits of the plan are conflicts', async () => {
  const free = await createOrganization('free');
  const key = { environment: 'test', scopes: ['images:write'] };
  expect(await call('POST', `/organizations/${free}/keys`, { ...key, environment: 'live' })).toMatchObject({
    status: 409,
    body: { code: 'key.live_not_allowed' },
  });
  expect((await call('POST', `/organizations/${free}/keys`, key)).status).toBe(201);
  expect(await call('POST', `/organizations/${free}/keys`, key)).toMatchObject({
    status: 409,
    body: { code: 'key.limit' },
  });
});

test('an organization is made, listed, changed, and put back to its plan', async () => {
  const organizationId = await createOrganization('pro');
  expect((await call('GET', '/organizations')).body.items).toContainEqual(
    expect.objectContaining({
      organizationId,
      plan: 'pro',
      dailyLimit: 2000,
      dailyLimitOverride: null,
      resultPolicy: 'review',
    }),
  );
  const changed = await call('PATCH', `/organizations/${organizationId}`, {
    name: 'Clinic South',
    plan: 'enterprise',
    dailyLimit: 50_000,
    resultPolicy: 'auto-final',
  });
  expect(changed).toMatchObject({
    status: 200,
    body: { organizationId, name: 'Clinic South', plan: 'enterprise', dailyLimit: 50_000, resultPolicy: 'auto-final' },
  });
  expect((await call('PATCH', `/organizations/${organizationId}`, { dailyLimit: null })).body).toMatchObject({
    name: 'Clinic South',
    dailyLimit: 20_000,
    dailyLimitOverride: null,
  });
  expect((await call('GET', `/organizations/${organizationId}/usage`)).body).toMatchObject({
    organizationId,
    limit: 20_000,
    used: 0,
    remaining: 20_000,
  });
});

test('names what it made by id, and by the name of release 0.1.0', async () => {
  const { body: organization } = await call('POST', '/organizations', { name: 'Clinic', plan: 'pro' });
  const { body: key } = await call('POST', `/organizations/${String(organization['id'])}/keys`, {
    environment: 'test',
    scopes: ['images:write'],
  });
  expect([organization['organizationId'], key['keyId'], key['organizationId']]).toEqual([
    organization['id'],
    key['id'],
    organization['id'],
  ]);
});

test('a key is made and shown once, listed without its text, rotated and revoked', async () => {
  const organizationId = await createOrganization();
  const made = await call('POST', `/organizations/${organizationId}/keys`, {
    environment: 'live',
    scopes: ['images:write', 'analysis:read'],
    expiresAt: '2099-01-01T00:00:00+01:00',
  });
  const { keyId, key } = made.body as { keyId: string; key: string };
  expect(made).toMatchObject({
    status: 201,
    body: {
      organizationId,
      environment: 'live',
      state: 'active',
      expiresAt: '2098-12-31T23:00:00.000Z',
      prefix: key.slice(0, 12),
      lastFour: key.slice(-4),
    },
  });
  expect(JSON.stringify((await call('GET', `/organizations/${organizationId}/keys`)).body)).not.toContain(key);
  const rotated = await call('POST', `/keys/${keyId}/rotate`, { overlapS: 60 });
  expect(rotated).toMatchObject({
    status: 201,
    body: { environment: 'live', scopes: ['images:write', 'analysis:read'] },
  });
  expect((await call('DELETE', `/keys/${keyId}`)).status).toBe(204);
  const { items } = (await call('GET', `/organizations/${organizationId}/keys`)).body;
  expect(items).toContainEqual(expect.objectContaining({ keyId, state: 'revoked', replacedBy: rotated.body['keyId'] }));
  expect(items).toContainEqual(expect.objectContaining({ keyId: rotated.body['keyId'], state: 'active' }));
});

test('of two changes of one organization at once the later is refused with words, and one without a tag is not', async () => {
  const organizationId = await createOrganization();
  const { items = [] } = (await call('GET', '/organizations')).body;
  const etag = items.find(({ id }) => id === organizationId)!['etag'] as string;
  const change = async (payload: object, ifMatch?: string) => {
    const answer = await app.inject({
      method: 'PATCH',
      url: `/admin/v1/organizations/${organizationId}`,
      payload,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
    });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  const both = await Promise.all([change({ name: 'North' }, etag), change({ name: 'South' }, etag)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const late = both.find(({ status }) => status === 412)!;
  expect([late.body['code'], late.body['detail']]).toEqual([
    'organization.changed',
    expect.stringContaining('Read them again'),
  ]);
  const quick = both.find(({ status }) => status === 200)!;
  expect((await change({ name: 'West' }, quick.body['etag'] as string)).status).toBe(200);
  expect((await change({ name: 'East' })).body).toMatchObject({ name: 'East' });
});

test('of two changes of one user at once the later is refused with words, so that no role comes back that was taken away', async () => {
  const [north, south] = [await createOrganization(), await createOrganization()];
  const roles = [{ organizationId: north, role: 'admin' }];
  const made = (await call('POST', '/users', { name: `u-${north.slice(-12)}`, roles })).body;
  const { id, etag } = made as { id: string; etag: string };
  const change = async (payload: object, ifMatch?: string) => {
    const answer = await app.inject({
      method: 'PATCH',
      url: `/admin/v1/users/${id}`,
      payload,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
    });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  const taken = await change({ roles: [] }, etag);
  expect(taken).toMatchObject({ status: 200, body: { roles: [] } });
  const late = await change({ roles: [...roles, { organizationId: south, role: 'viewer' }] }, etag);
  expect([late.status, late.body['code'], late.body['detail']]).toEqual([
    412,
    'user.changed',
    expect.stringContaining('Read the user again'),
  ]);
  const read = (await call('GET', '/users')).body.items!.find((user) => user['id'] === id)!;
  expect(read).toMatchObject({ roles: [], etag: taken.body['etag'] });
  const both = await Promise.all(
    ['viewer', 'reviewer'].map((role) => change({ roles: [{ organizationId: south, role }] }, read['etag'] as string)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  expect((await change({ displayName: 'Without a tag' })).status).toBe(200);
});
