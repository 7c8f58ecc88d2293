import { statusUrlOf } from '../../support/bulk-export.js';
import { expectStatus, type Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { subscriptionTo } from '../../support/fhir-subscriptions.js';
import { CDS_ROWS, type CdsGround } from './cds-rows.js';
import type { TestIdentityProvider } from '../../support/identity-provider.js';
import { ASSERTION_TYPE, signAssertion, type ClientKey } from '../../support/smart-client.js';
import { NOBODY } from './command-row.js';
import { keyed, type Ask, type RouteRow } from './route-row.js';

/** A ground with a registered client, and a provider by which people log in. */
export interface DoorsGround extends CdsGround {
  readonly key: string;
  readonly organizationId: string;
  readonly clientId: string;
  readonly clientKey: ClientKey;
  readonly provider: TestIdentityProvider;
  patientId: string;
  subscriptionId: string;
  exportPath: string;
  filePath: string;
  callback: { readonly path: string; readonly cookie: string };
}

type Row = RouteRow<DoorsGround>;

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '');
const typeOf = ({ headers }: Answer) => headers.get('content-type') ?? '';
const byPost = (path: string): Row['refused'] => ({
  ask: () => ({ method: 'POST', path }),
  status: 405,
  code: 'route.method_not_allowed',
});
const page = (route: string, path: string): Row => ({
  route,
  ask: () => ({ path }),
  status: 200,
  effect(answer) {
    expect(typeOf(answer)).toMatch(/^text\/html/);
    expect(answer.bytes.toString()).toMatch(/^(\s*<!--.*-->\s*)?<!doctype html>/i);
  },
  refused: byPost(path),
});

/** A file that the page of the console names. */
async function assetOf(ground: DoorsGround): Promise<string> {
  const { bytes } = await ground.ask('GET', '/console', {});
  return /\/web\/assets\/[^"]+/.exec(bytes.toString())![0];
}

const open: readonly Row[] = [
  {
    route: 'GET /health/live',
    ask: () => ({ path: '/health/live' }),
    status: 200,
    effect: ({ body }) => expect(body).toEqual({ status: 'ok' }),
    refused: byPost('/health/live'),
  },
  {
    route: 'GET /health/ready',
    ask: () => ({ path: '/health/ready' }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ status: 'ok', checks: { database: 'ok', storage: 'ok' } }),
    refused: byPost('/health/ready'),
  },
  {
    route: 'GET /metrics',
    ask: () => ({ path: '/metrics' }),
    status: 200,
    effect: ({ bytes }) => expect(bytes.toString()).toContain('sutura_jobs{status="queued"} '),
    refused: byPost('/metrics'),
  },
  {
    route: 'GET /',
    ask: () => ({ path: '/' }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ service: 'sutura', links: { docs: 'docs/' } }),
    refused: byPost('/'),
  },
  page('GET /api-docs', '/api-docs'),
  {
    route: 'GET /api-docs/*',
    ask: () => ({ path: '/api-docs/openapi.json' }),
    status: 200,
    effect: ({ body }) => expect(body).toMatchObject({ openapi: '3.1.0' }),
    refused: { ask: () => ({ path: '/api-docs/burnt.json' }), status: 404, code: 'route.not_found' },
  },
  {
    route: 'GET /docs',
    ask: () => ({ path: '/docs' }),
    status: 302,
    effect: ({ headers }) => expect(headers.get('location')).toBe('docs/'),
    refused: byPost('/docs'),
  },
  {
    route: 'GET /docs/*',
    ask: () => ({ path: '/docs/assets/search.json' }),
    status: 200,
    effect: ({ body }) => expect((body as unknown as unknown[]).length).toBeGreaterThan(100),
    refused: { ask: () => ({ path: '/docs/burnt.html' }), status: 404, code: 'route.not_found' },
  },
  page('GET /console', '/console'),
  page('GET /console/*', '/console/organizations'),
  page('GET /review', '/review'),
  {
    route: 'GET /web/mark.svg',
    ask: () => ({ path: '/web/mark.svg' }),
    status: 200,
    effect: (answer) => expect(typeOf(answer)).toMatch(/^image\/svg\+xml/),
    refused: byPost('/web/mark.svg'),
  },
  {
    route: 'GET /web/assets/:name',
    ask: async (ground) => ({ path: await assetOf(ground) }),
    status: 200,
    effect: ({ headers }) => expect(headers.get('cache-control')).toContain('immutable'),
    refused: { ask: () => ({ path: '/web/assets/burnt.js' }), status: 404, code: 'route.not_found' },
  },
];

const tokenForm = async ({ gateway, clientId, clientKey }: DoorsGround, scope: string): Promise<Ask> => {
  const assertion = await signAssertion(clientId, `${gateway.baseUrl}/auth/token`, clientKey);
  const fields = { grant_type: 'client_credentials', client_assertion_type: ASSERTION_TYPE, scope };
  return {
    path: '/auth/token',
    bytes: Buffer.from(new URLSearchParams({ ...fields, client_assertion: assertion }).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
};
const smart = (path: string, refused: Row['refused']): Row => ({
  route: `GET ${path}`,
  ask: () => ({ path }),
  status: 200,
  effect: ({ body }, { gateway }) => expect(body).toMatchObject({ token_endpoint: `${gateway.baseUrl}/auth/token` }),
  refused,
});

function expectPublicKeys(body: Readonly<Record<string, unknown>>): void {
  expect((body.keys as { alg: string }[]).map(({ alg }) => alg).sort()).toEqual(['ES384', 'RS384']);
  expect(JSON.stringify(body)).not.toMatch(/"d"|private/);
}

const identity: readonly Row[] = [
  smart('/.well-known/smart-configuration', byPost('/.well-known/smart-configuration')),
  {
    route: 'GET /organizations/:organizationId/jwks.json',
    ask: ({ organizationId }) => ({ path: `/organizations/${organizationId}/jwks.json` }),
    status: 200,
    effect: ({ body }) => expectPublicKeys(body),
    refused: {
      ask: () => ({ path: `/organizations/elsewhere/jwks.json` }),
      status: 404,
      code: 'organization.not_found',
    },
  },
  {
    route: 'GET /.well-known/jwks.json',
    ask: () => ({ path: '/.well-known/jwks.json' }),
    status: 200,
    async effect({ body }, ground) {
      expectPublicKeys(body);
      expect((await ground.ask('GET', `/organizations/${ground.organizationId}/jwks.json`, {})).body).toEqual(body);
    },
    refused: byPost('/.well-known/jwks.json'),
  },
  {
    route: 'POST /auth/token',
    ask: (ground) => tokenForm(ground, 'system/Patient.rs'),
    status: 200,
    async effect({ body }, ground) {
      const found = await ground.ask('GET', '/fhir/Patient', { key: body.access_token as string });
      expect([body.token_type, found.status]).toEqual(['bearer', 200]);
    },
    refused: { ask: (ground) => tokenForm(ground, 'system/AuditEvent.rs'), status: 400, code: 'invalid_scope' },
  },
  {
    route: 'GET /admin/v1/session/oidc',
    ask: ({ provider, organizationId }) => {
      provider.next({ claims: { sub: 's-1', preferred_username: 'anna', name: 'Anna', roles: ['ward'] } });
      expect(organizationId).not.toBe('');
      return { path: '/admin/v1/session/oidc' };
    },
    status: 302,
    async effect({ headers }, ground) {
      const back = await fetch(headers.get('location')!, { redirect: 'manual' });
      const [cookie] = headers.getSetCookie().map((line) => line.split(';')[0]!);
      ground.callback = { path: pathOf(back.headers.get('location')!), cookie: cookie! };
    },
    refused: byPost('/admin/v1/session/oidc'),
  },
  {
    route: 'GET /admin/v1/session/oidc/callback',
    ask: ({ callback }) => ({ path: callback.path, headers: { cookie: callback.cookie } }),
    status: 303,
    effect: ({ headers }) => expect(headers.getSetCookie().join()).toMatch(/sutura-session=[^;]{20,}/),
    refused: {
      ask: () => ({ path: '/admin/v1/session/oidc/callback?code=x&state=y' }),
      status: 401,
      code: 'login.provider',
    },
  },
];

const patientWith = (value: string) => ({ resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value }] });
const FHIR_JSON = { 'content-type': 'application/fhir+json' };

/** The door of FHIR below one of its two addresses. */
function fhir(base: '/fhir' | '/fhir/R4'): Row[] {
  const patient = patientWith(base);
  const ofKey = ({ key }: DoorsGround, path: string, json?: unknown, headers: Ask['headers'] = {}): Ask =>
    keyed(key, `${base}${path}`, json, { ...(json === undefined ? {} : FHIR_JSON), ...headers });
  const noPatient = (json?: unknown, headers?: Ask['headers']): Row['refused'] => ({
    ask: (ground) => ofKey(ground, '/Patient/nobody', json, headers),
    status: 404,
    code: 'fhir-not-found',
  });
  const known = ({ patientId }: DoorsGround, more: object = {}) => ({ ...patient, id: patientId, ...more });
  const noExport = (path: string): Row['refused'] => ({
    ask: (ground) => ofKey(ground, path),
    status: 404,
    code: 'export-not-found',
  });
  const exported = async (ground: DoorsGround): Promise<string> => {
    const headers = { accept: 'application/fhir+json', prefer: 'respond-async' };
    return pathOf(statusUrlOf(await ground.ask('GET', `${base}/$export?_type=Patient`, { key: ground.key, headers })));
  };
  return [
    {
      route: `GET ${base}/metadata`,
      ask: () => ({ path: `${base}/metadata` }),
      status: 200,
      effect: ({ body }) => expect(body).toMatchObject({ resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' }),
      refused: { ask: () => ({ path: `${base}/metadata?_format=ttl` }), status: 406, code: 'request-not-acceptable' },
    },
    smart(`${base}/.well-known/smart-configuration`, {
      ask: () => ({ method: 'POST', path: `${base}/.well-known/smart-configuration` }),
      status: 401,
      code: 'auth-missing',
    }),
    {
      route: `POST ${base}/*`,
      ask: (ground) => ofKey(ground, '/Patient', patient),
      status: 201,
      effect({ body }, ground) {
        ground.patientId = body.id as string;
      },
      refused: {
        ask: (ground) => ofKey(ground, '/Patient', { resourceType: 'Patient', burnt: true }),
        status: 400,
        code: 'fhir-structure',
      },
    },
    {
      route: `GET ${base}/*`,
      ask: (ground) => ofKey(ground, `/Patient/${ground.patientId}`),
      status: 200,
      effect: ({ body }, { patientId }) => expect(body).toMatchObject({ resourceType: 'Patient', id: patientId }),
      refused: noPatient(),
    },
    {
      route: `PUT ${base}/*`,
      ask: (ground) => ofKey(ground, `/Patient/${ground.patientId}`, known(ground, { gender: 'female' })),
      status: 200,
      effect: ({ body }) => expect(body).toMatchObject({ gender: 'female', meta: { versionId: '2' } }),
      refused: {
        ask: (ground) => ofKey(ground, `/Patient/${ground.patientId}`, { ...patient, id: 'another' }),
        status: 400,
        code: 'fhir-id-mismatch',
      },
    },
    {
      route: `PATCH ${base}/*`,
      ask: (ground) =>
        ofKey(ground, `/Patient/${ground.patientId}`, [{ op: 'replace', path: '/gender', value: 'male' }], {
          'content-type': 'application/json-patch+json',
        }),
      status: 200,
      effect: ({ body }) => expect(body).toMatchObject({ gender: 'male', meta: { versionId: '3' } }),
      refused: noPatient([{ op: 'replace', path: '/gender', value: 'male' }], {
        'content-type': 'application/json-patch+json',
      }),
    },
    {
      route: `POST ${base}`,
      ask: (ground) => {
        const entry = [{ request: { method: 'GET', url: `Patient/${ground.patientId}` } }];
        return ofKey(ground, '', { resourceType: 'Bundle', type: 'batch', entry });
      },
      status: 200,
      effect: ({ body }, { patientId }) => expect(body.entry).toMatchObject([{ resource: { id: patientId } }]),
      refused: { ask: (ground) => ofKey(ground, '', patient), status: 400, code: 'fhir-bundle' },
    },
    {
      route: `GET ${base}/$export-status/:id`,
      async ask(ground) {
        ground.exportPath = await exported(ground);
        return eventually('the export', async () => {
          const path = ground.exportPath.replace(/^\/fhir(\/R4)?/, '');
          return (await ground.ask('GET', `${base}${path}`, { key: ground.key })).status === 200
            ? ofKey(ground, path)
            : null;
        });
      },
      status: 200,
      effect({ body }, ground) {
        expect(body.output).toMatchObject([{ type: 'Patient' }]);
        ground.filePath = pathOf(body.output[0].url as string).replace(/^\/fhir(\/R4)?/, '');
      },
      refused: noExport(`/$export-status/${NOBODY}`),
    },
    {
      route: `GET ${base}/$export-files/:id/:number`,
      ask: (ground) => ofKey(ground, ground.filePath),
      status: 200,
      effect: ({ bytes }, { patientId }) => expect(bytes.toString()).toContain(`"id":"${patientId}"`),
      refused: noExport(`/$export-files/${NOBODY}/1`),
    },
    {
      route: `DELETE ${base}/$export-status/:id`,
      ask: (ground) => ofKey(ground, ground.exportPath.replace(/^\/fhir(\/R4)?/, '')),
      status: 202,
      async effect(_, ground) {
        expect((await ground.ask('GET', `${base}${ground.filePath}`, { key: ground.key })).status).toBe(404);
      },
      refused: noExport(`/$export-status/${NOBODY}`),
    },
    {
      route: `DELETE ${base}/*`,
      async ask(ground) {
        const json = subscriptionTo('http://127.0.0.1:8080/events');
        const made = await ground.ask('POST', `${base}/Subscription`, { key: ground.key, json, headers: FHIR_JSON });
        ground.subscriptionId = expectStatus(201, made).body.id as string;
        return ofKey(ground, `/Subscription/${ground.subscriptionId}`);
      },
      status: 204,
      async effect(_, ground) {
        const path = `${base}/Subscription/${ground.subscriptionId}`;
        expect((await ground.ask('GET', path, { key: ground.key })).status).toBe(404);
      },
      refused: {
        ask: (ground) => ofKey(ground, `/Patient/${NOBODY}`),
        status: 404,
        code: 'fhir-not-found',
      },
    },
  ];
}

const MESSAGE = [
  'MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ADT^A08^ADT_A01|MSG-1|T|2.5.1',
  'EVN|A08|20260315094003',
  'PID|1||MRN-77^^^HOSP^MR||Beispiel^Anna||19510714|F',
  'PV1|1|O',
  '',
].join('\r');
const ER7 = { 'content-type': 'application/hl7-v2' };

const messages: readonly Row[] = [
  {
    route: 'POST /hl7v2',
    ask: ({ key }) => ({ path: '/hl7v2', key, bytes: Buffer.from(MESSAGE), headers: ER7 }),
    status: 200,
    effect(answer) {
      expect(typeOf(answer)).toMatch(/^application\/hl7-v2/);
      expect(answer.bytes.toString()).toMatch(/\rMSA\|AA\|MSG-1/);
    },
    refused: {
      ask: ({ key }) => ({ path: '/hl7v2', key, bytes: Buffer.from('no message'), headers: ER7 }),
      status: 400,
      code: 'hl7.unreadable',
    },
  },
  {
    route: 'POST /admin/v1/fhir/dry-run',
    ask: ({ gateway, organizationId }) =>
      keyed(
        gateway.adminToken,
        `/admin/v1/fhir/dry-run?organizationId=${organizationId}&environment=test`,
        patientWith('MRN-1'),
      ),
    status: 200,
    effect: ({ body }) => expect(JSON.stringify(body)).toContain('POST Patient'),
    refused: {
      ask: ({ gateway }) => keyed(gateway.adminToken, '/admin/v1/fhir/dry-run?environment=burnt', patientWith('MRN-1')),
      status: 400,
      code: 'request.invalid',
    },
  },
];

export const DOOR_ROWS: readonly Row[] = [
  ...open,
  ...identity,
  ...CDS_ROWS,
  ...fhir('/fhir'),
  ...fhir('/fhir/R4'),
  ...messages,
];

/** The FHIR door takes every method, to refuse those that FHIR does not have there in its own format. */
export const REFUSED_METHODS: readonly string[] = ['/fhir', '/fhir/R4'].flatMap((base) => [
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${base}`),
  ...[base, `${base}/*`].flatMap((path) =>
    ['COPY', 'LOCK', 'MKCOL', 'MOVE', 'OPTIONS', 'PROPFIND', 'PROPPATCH', 'QUERY', 'SEARCH', 'TRACE', 'UNLOCK'].map(
      (method) => `${method} ${path}`,
    ),
  ),
]);
