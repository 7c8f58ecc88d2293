import { keepAuthorityProposal } from '../../support/authority-proposal.js';
import { codeAt, PASSWORD } from '../../support/admin-browser.js';
import { makeClientKey } from '../../support/smart-client.js';
import {
  byAdmin,
  closed,
  inOrganization,
  noOrganization,
  ofAdmin,
  PATIENT,
  read,
  unknown,
  type AdminGround,
  type AdminRow as Row,
} from './admin-ground.js';
import { NOBODY } from './command-row.js';
import { REVIEWING_ROWS } from './reviewing-rows.js';
import { EHR_ROUTE_ROWS } from './ehr-rows.js';
import { FAILURE_ROWS } from './failure-rows.js';
import { STANDING_ROWS } from './standing-rows.js';
import type { Ask } from './route-row.js';

const NEW_PASSWORD = 'nine moons under two meadows';

const firstAuthority = async (ground: AdminGround): Promise<string> =>
  ((await read(ground, inOrganization('/authorities')(ground))).body.items as { id: string }[])[0]!.id;

const organizations: readonly Row[] = [
  {
    route: 'POST /admin/v1/organizations',
    ask: byAdmin('/organizations', { name: 'Clinic North', plan: 'pro' }),
    status: 201,
    effect({ body }, { made }) {
      expect(body).toMatchObject({ name: 'Clinic North', plan: 'pro' });
      made.organizationId = body.id as string;
    },
    refused: {
      ask: byAdmin('/organizations', { name: 'Clinic South', plan: 'golden' }),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /admin/v1/organizations',
    ask: byAdmin('/organizations'),
    status: 200,
    effect: ({ body }, { made }) =>
      expect(body.items).toContainEqual(expect.objectContaining({ id: made.organizationId })),
    refused: closed('/organizations'),
  },
  {
    route: 'PATCH /admin/v1/organizations/:organizationId',
    ask: byAdmin(({ made }) => `/organizations/${made.organizationId}`, { dailyLimit: 17 }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ dailyLimit: 17 }),
    refused: noOrganization('', { dailyLimit: 17 }),
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/usage',
    ask: byAdmin(inOrganization('/usage')),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ used: 2 }),
    refused: noOrganization('/usage'),
  },
];

const NEW_KEY = { environment: 'test', scopes: ['analysis:read'] };
const onKey = ({ made }: AdminGround) => `/keys/${made.keyId}`;

const keys: readonly Row[] = [
  {
    route: 'POST /admin/v1/organizations/:organizationId/keys',
    ask: byAdmin(inOrganization('/keys'), NEW_KEY),
    status: 201,
    async effect({ body }, ground) {
      ground.made.keyId = body.keyId as string;
      expect((await ground.ask('GET', '/api/v1/usage', { key: body.key as string })).status).toBe(200);
    },
    refused: noOrganization('/keys', NEW_KEY),
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/keys',
    ask: byAdmin(inOrganization('/keys')),
    status: 200,
    effect({ body }, { made }) {
      expect(body.items).toContainEqual(expect.objectContaining({ keyId: made.keyId, state: 'active' }));
      expect(JSON.stringify(body)).not.toMatch(/sut_test_[0-9A-Za-z]{38}/);
    },
    refused: noOrganization('/keys'),
  },
  {
    route: 'PATCH /admin/v1/keys/:keyId',
    ask: byAdmin(onKey, { allowedNetworks: ['10.20.0.0/16'] }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ allowedNetworks: ['10.20.0.0/16'] }),
    refused: unknown(`/keys/${NOBODY}`, 'key.not_found', { allowedNetworks: [] }),
  },
  {
    route: 'POST /admin/v1/keys/:keyId/rotate',
    ask: byAdmin((ground) => `${onKey(ground)}/rotate`, { overlapS: 0 }),
    status: 201,
    effect({ body }, { made }) {
      expect(body.keyId).not.toBe(made.keyId);
      made.keyId = body.keyId as string;
    },
    refused: unknown(`/keys/${NOBODY}/rotate`, 'key.not_found', {}),
  },
  {
    route: 'DELETE /admin/v1/keys/:keyId',
    ask: byAdmin(onKey),
    status: 204,
    async effect(_, ground) {
      const { body } = await read(ground, inOrganization('/keys')(ground));
      expect(body.items).toContainEqual(expect.objectContaining({ keyId: ground.made.keyId, state: 'revoked' }));
    },
    refused: unknown(`/keys/${NOBODY}`, 'key.not_found'),
  },
];

const registration = ({ clientKey }: AdminGround) => ({
  name: 'EHR',
  environment: 'test',
  scopes: ['system/*.rs'],
  jwks: { keys: [clientKey.publicJwk] },
});
const onClient = ({ made }: AdminGround) => `/clients/${made.clientId}`;
const clientIn = async (ground: AdminGround): Promise<unknown> =>
  ((await read(ground, inOrganization('/clients')(ground))).body.items as { id: string }[]).find(
    ({ id }) => id === ground.made.clientId,
  );

const clients: readonly Row[] = [
  {
    route: 'POST /admin/v1/organizations/:organizationId/clients',
    ask: (ground) => ofAdmin(ground, inOrganization('/clients')(ground), registration(ground)),
    status: 201,
    async effect({ body }, ground) {
      ground.made.clientId = body.id as string;
      expect(await clientIn(ground)).toMatchObject({ name: 'EHR', state: 'active' });
    },
    refused: {
      ask: (ground) => ofAdmin(ground, `/organizations/${NOBODY}/clients`, registration(ground)),
      status: 404,
      code: 'organization.not_found',
    },
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/clients',
    ask: byAdmin(inOrganization('/clients')),
    status: 200,
    effect: ({ body }, { made, clientKey }) =>
      expect(body.items).toMatchObject([{ id: made.clientId, keyIds: [clientKey.kid] }]),
    refused: noOrganization('/clients'),
  },
  {
    route: 'PATCH /admin/v1/clients/:clientId',
    ask: byAdmin(onClient, { namesPersons: true }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ namesPersons: true }),
    refused: unknown(`/clients/${NOBODY}`, 'client.not_found', { namesPersons: true }),
  },
  {
    route: 'POST /admin/v1/clients/:clientId/rotate',
    async ask(ground) {
      const { publicJwk } = await makeClientKey('ES384', 'next');
      return ofAdmin(ground, `${onClient(ground)}/rotate`, { jwks: { keys: [publicJwk] } });
    },
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ keyIds: ['next'] }),
    refused: unknown(`/clients/${NOBODY}/rotate`, 'client.not_found', { jwksUrl: 'https://ehr.example.org/jwks.json' }),
  },
  {
    route: 'DELETE /admin/v1/clients/:clientId',
    ask: byAdmin(onClient),
    status: 204,
    effect: async (_, ground) => expect(await clientIn(ground)).toMatchObject({ state: 'revoked' }),
    refused: unknown(`/clients/${NOBODY}`, 'client.not_found'),
  },
];

const onUser = ({ made }: AdminGround) => `/users/${made.userId}`;
const onColleague = (ground: AdminGround) => inOrganization(`/users/${ground.made.colleagueId}`)(ground);

const users: readonly Row[] = [
  {
    route: 'POST /admin/v1/users',
    ask: (ground) =>
      ofAdmin(ground, '/users', { name: 'anna', roles: [{ organizationId: ground.organizationId, role: 'admin' }] }),
    status: 201,
    effect({ body }, { made }) {
      Object.assign(made, { userId: body.id, setupCode: body.setupCode });
      expect(body).toMatchObject({ name: 'anna', state: 'invited' });
    },
    refused: unknown('/users', 'organization.not_found', {
      name: 'otto',
      roles: [{ organizationId: NOBODY, role: 'viewer' }],
    }),
  },
  {
    route: 'GET /admin/v1/users',
    ask: byAdmin('/users'),
    status: 200,
    effect: ({ body }, { made }) => expect(body.items).toMatchObject([{ id: made.userId, name: 'anna' }]),
    refused: closed('/users'),
  },
  {
    route: 'PATCH /admin/v1/users/:userId',
    ask: byAdmin(onUser, { displayName: 'Anna Example' }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ displayName: 'Anna Example' }),
    refused: unknown(`/users/${NOBODY}`, 'user.not_found', { displayName: 'X' }),
  },
  {
    route: 'POST /admin/v1/users/:userId/reset',
    ask: byAdmin((ground) => `${onUser(ground)}/reset`),
    status: 200,
    effect({ body }, { made }) {
      expect(body.setupCode).not.toBe(made.setupCode);
      made.setupCode = body.setupCode as string;
    },
    refused: unknown(`/users/${NOBODY}/reset`, 'user.not_found'),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/users',
    ask: byAdmin(inOrganization('/users'), { name: 'bert', role: 'viewer' }),
    status: 201,
    effect({ body }, { made }) {
      expect(body).toMatchObject({ name: 'bert', role: 'viewer', state: 'invited' });
      made.colleagueId = body.id as string;
    },
    refused: noOrganization('/users', { name: 'otto', role: 'viewer' }),
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/users',
    ask: byAdmin(inOrganization('/users')),
    status: 200,
    effect: ({ body }) =>
      expect((body.items as { name: string }[]).map(({ name }) => name).sort()).toEqual(['anna', 'bert']),
    refused: closed(`/organizations/${NOBODY}/users`),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/users/:userId/reset',
    ask: byAdmin((ground) => `${onColleague(ground)}/reset`),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ name: 'bert', state: 'invited' }),
    refused: { ask: byAdmin(inOrganization(`/users/${NOBODY}/reset`)), status: 404, code: 'user.not_found' },
  },
  {
    route: 'PATCH /admin/v1/organizations/:organizationId/users/:userId',
    ask: byAdmin(onColleague, { role: null }),
    status: 200,
    async effect(_, ground) {
      const { items } = (await read(ground, inOrganization('/users')(ground))).body;
      expect(items).toContainEqual(expect.objectContaining({ name: 'bert', role: null }));
    },
    refused: { ask: byAdmin(inOrganization(`/users/${NOBODY}`), { role: null }), status: 404, code: 'user.not_found' },
  },
];

const ofPage = ({ made }: AdminGround, path: string, json?: unknown): Ask => ({
  path: `/admin/v1/session${path}`,
  headers: { cookie: made.cookie, 'x-csrf-token': made.csrfToken },
  ...(json === undefined ? {} : { json }),
});
const withoutSession = (path: string, json?: unknown): Row['refused'] => ({
  ask: (ground) => ({
    path: `/admin/v1/session${path}`,
    key: ground.gateway.adminToken,
    ...(json === undefined ? {} : { json }),
  }),
  status: 401,
  code: 'auth.session',
});
/** Logs in as a page does, and keeps the session for the rows behind. */
async function logIn(ground: AdminGround, password: string): Promise<void> {
  const { headers, body } = await ground.ask('POST', '/admin/v1/session', { json: { name: 'anna', password } });
  Object.assign(ground.made, { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', csrfToken: body.csrfToken });
}

const LINK = { environment: 'test', of: 'report' };
const linkPath = (ground: AdminGround, reportId: string) =>
  `/admin/v1${inOrganization(`/reports/${reportId}/review-links`)(ground)}`;

const sessions: readonly Row[] = [
  {
    route: 'POST /admin/v1/session/setup',
    ask: ({ made }) => ({ path: '/admin/v1/session/setup', json: { setupCode: made.setupCode, password: PASSWORD } }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ name: 'anna', state: 'active' }),
    refused: {
      ask: () => ({ path: '/admin/v1/session/setup', json: { setupCode: 'x'.repeat(32), password: PASSWORD } }),
      status: 403,
      code: 'user.setup',
    },
  },
  {
    route: 'POST /admin/v1/session',
    ask: () => ({ path: '/admin/v1/session', json: { name: 'anna', password: PASSWORD } }),
    status: 200,
    effect({ headers, body }, { made }) {
      const cookie = headers.get('set-cookie')!;
      expect(cookie).toMatch(/HttpOnly.*SameSite=Strict|SameSite=Strict.*HttpOnly/i);
      Object.assign(made, { cookie: cookie.split(';')[0], csrfToken: body.csrfToken });
    },
    refused: {
      ask: () => ({ path: '/admin/v1/session', json: { name: 'anna', password: NEW_PASSWORD } }),
      status: 401,
      code: 'login.refused',
    },
  },
  {
    route: 'GET /admin/v1/session',
    ask: (ground) => ofPage(ground, ''),
    status: 200,
    effect: ({ body }, { made }) => expect(body.user).toMatchObject({ id: made.userId }),
    refused: withoutSession(''),
  },
  ...STANDING_ROWS,
  {
    route: 'POST /admin/v1/organizations/:organizationId/reports/:reportId/review-links',
    ask: (ground) => ({ ...ofPage(ground, '', LINK), path: linkPath(ground, ground.reportId) }),
    status: 201,
    effect: ({ body }) => expect(body.url).toMatch(/\/review\/[^#]+#/),
    refused: {
      ask: (ground) => ({ ...ofPage(ground, '', LINK), path: linkPath(ground, NOBODY) }),
      status: 404,
      code: 'report.not_found',
    },
  },
  {
    route: 'POST /admin/v1/session/password',
    ask: (ground) => ofPage(ground, '/password', { password: PASSWORD, newPassword: NEW_PASSWORD }),
    status: 204,
    async effect(_, ground) {
      await logIn(ground, NEW_PASSWORD);
      expect(ground.made.cookie).not.toBe('');
    },
    refused: {
      ask: (ground) => ofPage(ground, '/password', { password: PASSWORD, newPassword: 'short' }),
      status: 422,
      code: 'user.password',
    },
  },
  {
    route: 'POST /admin/v1/session/codes',
    ask: (ground) => ofPage(ground, '/codes', { password: NEW_PASSWORD }),
    status: 200,
    effect({ body }, { made }) {
      expect(body.address).toContain(`secret=${body.secret}`);
      made.secret = body.secret as string;
    },
    refused: withoutSession('/codes', { password: PASSWORD }),
  },
  {
    route: 'PUT /admin/v1/session/codes',
    ask: (ground) => ofPage(ground, '/codes', { code: codeAt(ground.made.secret) }),
    status: 204,
    async effect(_, ground) {
      const json = { name: 'anna', password: NEW_PASSWORD };
      expect((await ground.ask('POST', '/admin/v1/session', { json })).body.code).toBe('login.code_required');
    },
    refused: withoutSession('/codes', { code: '123456' }),
  },
  {
    route: 'DELETE /admin/v1/session',
    ask: (ground) => ofPage(ground, ''),
    status: 204,
    async effect(_, ground) {
      const { path, ...wish } = ofPage(ground, '');
      expect((await ground.ask('GET', path, wish)).body.code).toBe('auth.session');
    },
    refused: {
      ask: ({ made }) => ({ path: '/admin/v1/session', headers: { cookie: made.cookie } }),
      status: 403,
      code: 'auth.csrf',
    },
  },
];

const named = { environment: 'test', patient: PATIENT };
const nobody = { environment: 'test', patient: 'MRN-0000' };
const noPatient = (path: string, json: unknown): Row['refused'] => ({
  ask: byAdmin(inOrganization(path), json),
  status: 404,
  code: 'patient.not_found',
});

const records: readonly Row[] = [
  {
    route: 'GET /admin/v1/figures',
    ask: byAdmin('/figures?span=day'),
    status: 200,
    effect: ({ body }) => expect(JSON.stringify(body)).toContain('"figures"'),
    refused: { ask: byAdmin('/figures?span=century'), status: 400, code: 'request.invalid' },
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/jobs/retry',
    ask: (ground) =>
      ofAdmin(ground, inOrganization('/jobs/retry')(ground), { environment: 'test', code: 'processing.timeout' }),
    status: 200,
    effect({ body }, { failedJobId }) {
      const made = { retryOf: failedJobId, id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string };
      expect(body).toEqual({ retried: [made], skipped: [], more: false });
    },
    refused: {
      ask: byAdmin(inOrganization('/jobs/retry'), { environment: 'test', id: NOBODY }),
      status: 404,
      code: 'job.not_found',
    },
  },
  ...FAILURE_ROWS,
  {
    route: 'GET /admin/v1/organizations/:organizationId/held',
    ask: byAdmin(inOrganization('/held?environment=test&reason=identity_conflict&olderThanS=0')),
    status: 200,
    effect: ({ body }, { heldId }) => expect(body).toMatchObject({ items: [{ id: heldId }], nextCursor: null }),
    refused: {
      ask: byAdmin(inOrganization('/held?cursor=burnt.')),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/held/:heldId',
    ask: byAdmin((ground) => inOrganization(`/held/${ground.heldId}`)(ground)),
    status: 200,
    effect: ({ body }, { heldId }) =>
      expect(body).toMatchObject({ id: heldId, actions: ['same', 'another', 'discard'] }),
    refused: { ask: byAdmin(inOrganization(`/held/${NOBODY}`)), status: 404, code: 'held.not_found' },
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/held/:heldId/resolve',
    ask: byAdmin((ground) => inOrganization(`/held/${ground.heldId}/resolve`)(ground), {
      action: 'discard',
      note: 'Sent by mistake.',
    }),
    status: 200,
    async effect({ body }, ground) {
      expect(body).toMatchObject({ id: ground.heldId });
      expect((await read(ground, inOrganization('/held')(ground))).body.items).toEqual([]);
    },
    refused: {
      ask: byAdmin((ground) => inOrganization(`/held/${ground.heldId}/resolve`)(ground), { action: 'link' }),
      status: 409,
      code: 'held.action',
    },
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/authorities',
    ask: byAdmin(inOrganization('/authorities'), { namespace: 'NORTH', oid: '2.999.1' }),
    status: 201,
    effect: ({ body }) =>
      expect(body).toMatchObject({
        systems: ['urn:oid:2.999.1', 'https://sutura.dev/fhir/sid/hl7v2-authority/NORTH'],
        origin: 'operator',
      }),
    refused: {
      ask: byAdmin(inOrganization('/authorities'), { uri: 'urn:oid:2.999.1' }),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/authorities',
    ask: byAdmin(inOrganization('/authorities')),
    status: 200,
    effect: ({ body }) => expect(body.items).toMatchObject([{ oid: '2.999.1' }]),
    refused: noOrganization('/authorities'),
  },
  {
    route: 'PATCH /admin/v1/organizations/:organizationId/authorities/:authorityId',
    ask: async (ground) =>
      ofAdmin(ground, inOrganization(`/authorities/${await firstAuthority(ground)}`)(ground), { facilities: ['N'] }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ oid: '2.999.1', facilities: ['N'] }),
    refused: unknown(`/organizations/${NOBODY}/authorities/${NOBODY}`, 'organization.not_found', { name: 'North' }),
  },
  {
    route: 'DELETE /admin/v1/organizations/:organizationId/authorities/:authorityId',
    ask: async (ground) => ofAdmin(ground, inOrganization(`/authorities/${await firstAuthority(ground)}`)(ground)),
    status: 204,
    effect: async (_, ground) =>
      expect((await read(ground, inOrganization('/authorities')(ground))).body.items).toEqual([]),
    refused: {
      ask: byAdmin(inOrganization(`/authorities/${NOBODY}`)),
      status: 404,
      code: 'authority.not_found',
    },
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/authority-proposals',
    ask: byAdmin(inOrganization('/authority-proposals')),
    status: 200,
    effect: ({ body }) => expect(body.items).toEqual([]),
    refused: noOrganization('/authority-proposals'),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/authority-proposals/:proposalId/settle',
    ask: async (ground) => {
      const id = await keepAuthorityProposal(ground.gateway.databaseUrl, ground.organizationId);
      return ofAdmin(ground, inOrganization(`/authority-proposals/${id}/settle`)(ground), { answer: 'same' });
    },
    status: 200,
    effect: async (_, ground) =>
      expect((await read(ground, inOrganization('/authorities')(ground))).body.items).toMatchObject([
        { systems: ['https://north.example/mrn', 'urn:oid:2.999.8'], environment: 'test' },
      ]),
    refused: {
      ask: byAdmin(inOrganization(`/authority-proposals/${NOBODY}/settle`), { answer: 'same' }),
      status: 404,
      code: 'authority.not_found',
    },
  },
  {
    route: 'GET /admin/v1/trace',
    ask: (ground) => ofAdmin(ground, `/trace?id=${ground.imageId}`),
    status: 200,
    effect: ({ body }, { imageId }) => expect(body.photos).toMatchObject([{ imageId }]),
    refused: unknown(`/trace?id=${NOBODY}`, 'trace.not_found'),
  },
  {
    route: 'PATCH /admin/v1/organizations/:organizationId/retention',
    ask: byAdmin(inOrganization('/retention'), { photoDays: 3650 }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ photoDays: 3650 }),
    refused: noOrganization('/retention', { photoDays: 3650 }),
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/retention',
    ask: byAdmin(inOrganization('/retention')),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ photoDays: 3650, messageDays: null }),
    refused: noOrganization('/retention'),
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/audit-events',
    ask: byAdmin(inOrganization('/audit-events?environment=test')),
    status: 200,
    effect: ({ body }, { imageId }) => expect(JSON.stringify(body)).toContain(imageId),
    refused: {
      ask: byAdmin(inOrganization('/audit-events?environment=burnt')),
      status: 400,
      code: 'request.invalid',
    },
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/audit-export',
    ask: byAdmin(inOrganization('/audit-export?environment=test')),
    status: 200,
    effect: ({ bytes }, { imageId }) => expect(bytes.toString()).toContain(imageId),
    refused: noOrganization('/audit-export?environment=test'),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/patients/hold',
    ask: byAdmin(inOrganization('/patients/hold'), { ...named, reason: 'Court file 12-345' }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ reason: 'Court file 12-345' }),
    refused: noPatient('/patients/hold', { ...nobody, reason: 'X' }),
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/holds',
    ask: byAdmin(inOrganization('/holds')),
    status: 200,
    effect: ({ body }) => expect(body.items).toMatchObject([{ reason: 'Court file 12-345' }]),
    refused: noOrganization('/holds'),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/patients/release',
    ask: byAdmin(inOrganization('/patients/release'), named),
    status: 204,
    effect: async (_, ground) => expect((await read(ground, inOrganization('/holds')(ground))).body.items).toEqual([]),
    refused: noPatient('/patients/release', nobody),
  },
  {
    route: 'POST /admin/v1/organizations/:organizationId/patients/erase',
    ask: byAdmin(inOrganization('/patients/erase'), named),
    status: 200,
    effect: async (_, ground) => expect((await read(ground, `/trace?id=${ground.imageId}`)).status).toBe(404),
    refused: noPatient('/patients/erase', nobody),
  },
  {
    route: 'GET /admin/v1/organizations/:organizationId/erasures',
    ask: byAdmin(inOrganization('/erasures')),
    status: 200,
    effect: ({ body }) => expect(body.items).toMatchObject([{ environment: 'test' }]),
    refused: noOrganization('/erasures'),
  },
];

export const ADMINISTRATION_ROWS: readonly Row[] = [
  organizations,
  keys,
  clients,
  users,
  sessions,
  REVIEWING_ROWS,
  EHR_ROUTE_ROWS,
  records,
].flat();
