import 'reflect-metadata';
import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OperationOutcome, Patient } from '@medplum/fhirtypes';
import { ApiKeyRepository } from '../../core/ports/organization.repository.js';
import { AuditTrail } from '../../core/ports/audit-trail.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import type { ApiKeyRecord } from '../../core/tenancy/api-key.js';
import { SCOPES, type Scope } from '../../core/tenancy/scope.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { RandomKeyMint } from '../../identity/keys/random-key.mint.js';
import { readSettings } from '../../platform/config/settings.js';
import { NotificationListener } from '../../platform/database/notification-listener.js';
import { HttpAdapter } from '../../platform/http/http.adapter.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { Logger } from '../../platform/logging/logger.js';
import { PlatformModule } from '../../platform/platform.module.js';
import { EchoProcessor, MemoryBinaries, MemorySearch, MemoryStore, MemoryTrail, MemoryUnitOfWork } from '../../../test/support/memory-fhir.js';
import { BundleProcessor } from '../bundle/bundle-processor.js';
import { BinaryContent } from '../intake/binary-content.js';
import { IntakeDirectory } from '../interactions/intake-directory.js';
import { INTERACTION_PROVIDERS } from '../interactions/index.js';
import { ProfileLibrary } from '../profiles/profile-library.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../store/resource-store.js';
import { R4Definitions, ResourceValidator } from '../validation/index.js';
import { DOOR_CONTROLLERS, DOOR_PROVIDERS } from './index.js';

const keys = new Map<string, ApiKeyRecord>();
const store = new MemoryStore();
const search = new MemorySearch(store);
const binaries = new MemoryBinaries();
const bundles = new EchoProcessor();
const trail = new MemoryTrail();

function issueKey(scopes: readonly Scope[], organizationId = 'organization-1'): string {
  const { text, sha256, prefix, lastFour } = new RandomKeyMint().mint('test');
  const record = { organizationId, environment: 'test', prefix, lastFour, scopes, createdAt: new Date(), expiresAt: null, revokedAt: null, replacedBy: null, lastUsedAt: null } as const;
  keys.set(Buffer.from(sha256).toString('hex'), { ...record, id: `key-${keys.size}` });
  return text;
}

@Module({})
class GroundModule {
  static register(): DynamicModule {
    const providers = [
      { provide: ApiKeyRepository, useValue: { findByDigest: (sha256: Uint8Array) => Promise.resolve(keys.get(Buffer.from(sha256).toString('hex')) ?? null), touch: () => Promise.resolve() } },
      { provide: NotificationListener, useValue: { on: () => () => undefined } },
      { provide: UnitOfWork, useValue: new MemoryUnitOfWork() },
      { provide: AuditTrail, useValue: trail },
    ];
    return { module: GroundModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}

@Module({
  controllers: DOOR_CONTROLLERS,
  providers: [
    R4Definitions,
    { provide: ProfileLibrary, inject: [R4Definitions], useFactory: (definitions: R4Definitions) => new ProfileLibrary(definitions) },
    { provide: ResourceValidator, inject: [R4Definitions, ProfileLibrary], useFactory: (definitions: R4Definitions, library: ProfileLibrary) => new ResourceValidator(definitions, library) },
    ...INTERACTION_PROVIDERS.filter((provider) => typeof provider === 'object' && provider.provide !== IntakeDirectory),
    { provide: IntakeDirectory, useValue: new IntakeDirectory([]) },
    { provide: ResourceStore, useValue: store },
    { provide: ResourceSearch, useValue: search },
    { provide: BinaryContent, useValue: binaries },
    { provide: BundleProcessor, useValue: bundles },
    ...DOOR_PROVIDERS,
  ],
})
class DoorModule {}

@Module({})
class TestModule {}

interface Wish {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly payload?: string | Buffer;
  readonly key?: string | null;
}

let app: NestFastifyApplication;
let everything: string;

async function startApp(environment: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
  const settings = readSettings({ PUBLIC_URL: 'https://wounds.example', SUTURA_READS_PER_S: '100000', SUTURA_READ_BURST: '100000', ...environment });
  const module = { module: TestModule, imports: [PlatformModule.register(settings, Logger.create('silent')), GroundModule.register(), HttpModule, IdentityModule, DoorModule] };
  const started = await NestFactory.create<NestFastifyApplication>(module, new HttpAdapter(settings), { logger: false, abortOnError: false });
  await started.init();
  await started.getHttpAdapter().getInstance().ready();
  return started;
}

async function call(method: string, path: string, { headers = {}, json, payload, key = everything }: Wish = {}, at = app) {
  const answer = await at.inject({
    method: method as 'GET',
    url: path.startsWith('/') ? path : `/fhir/${path}`,
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...(json === undefined ? {} : { 'content-type': 'application/fhir+json' }), ...headers },
    ...(json === undefined && payload === undefined ? {} : { payload: payload ?? JSON.stringify(json) }),
  });
  const isJson = /json/.test(String(answer.headers['content-type']));
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, bytes: answer.rawPayload, body: (isJson && answer.payload !== '' ? answer.json() : null) as never as Record<string, never> };
}

const PATIENT: Patient = { resourceType: 'Patient', identifier: [{ system: 'urn:oid:1.2.3', value: 'W-12' }], name: [{ family: 'Mustermann', given: ['Erika'] }], gender: 'female', birthDate: '1950-03-01' };

async function createPatient(value = `P-${Math.random()}`): Promise<Patient & { id: string }> {
  const { status, body } = await call('POST', 'Patient', { json: { ...PATIENT, identifier: [{ system: 'urn:oid:1.2.3', value }] } });
  expect(status).toBe(201);
  return body as never;
}

const firstIssue = (body: unknown) => (body as OperationOutcome).issue[0]!;

beforeAll(async () => {
  everything = issueKey(SCOPES);
  app = await startApp();
});
afterAll(() => app.close());

describe('a request is refused with an OperationOutcome', () => {
  const rows: [title: string, method: string, path: string, wish: Wish | (() => Wish), status: number, issue: string, code: string][] = [
    ['without a key', 'GET', 'Patient/1', { key: null }, 401, 'login', 'auth-missing'],
    ['with a wrong key', 'GET', 'Patient/1', { key: 'sut_test_wrong' }, 401, 'login', 'auth-invalid'],
    ['with a key that lacks the scope to create', 'POST', 'Patient', () => ({ key: issueKey(['analysis:read']), json: PATIENT }), 403, 'forbidden', 'auth-scope'],
    ['with a key that lacks the scope to search', 'GET', 'DiagnosticReport', () => ({ key: issueKey(['images:write']) }), 403, 'forbidden', 'auth-scope'],
    ['for the audit trail, which is the operator’s', 'GET', 'AuditEvent', {}, 403, 'forbidden', 'auth-scope'],
    ['for a type that R4 has and this server has not', 'GET', 'Immunization/1', {}, 404, 'not-supported', 'fhir-type-not-supported'],
    ['for a type that R4 has not', 'POST', 'Wound', { json: {} }, 404, 'not-supported', 'fhir-type-not-supported'],
    ['for an address that FHIR has not', 'GET', 'Patient/1/2/3/4', {}, 404, 'not-found', 'route-not-found'],
    ['for an operation that there is not', 'POST', 'Patient/1/$everything', {}, 404, 'not-found', 'route-not-found'],
    ['for an unknown id', 'GET', 'Patient/0199e1c4-6b00-7d44-8b30-7a8b9c0d1e08', {}, 404, 'not-found', 'fhir-not-found'],
    ['for an unknown version', 'GET', 'Patient/1/_history/abc', {}, 404, 'not-found', 'fhir-not-found'],
    ['that deletes', 'DELETE', 'Patient/1', {}, 405, 'not-supported', 'fhir-interaction-not-supported'],
    ['that creates a report', 'POST', 'DiagnosticReport', { json: {} }, 405, 'not-supported', 'fhir-interaction-not-supported'],
    ['that changes an observation', 'PUT', 'Observation/1', { json: {} }, 405, 'not-supported', 'fhir-interaction-not-supported'],
    ['that puts to an id that nobody has', 'PUT', 'Patient/x', { json: { ...PATIENT, id: 'x' } }, 405, 'not-supported', 'fhir-interaction-not-supported'],
    ['that writes metadata', 'POST', 'metadata', { json: {} }, 405, 'not-supported', 'fhir-interaction-not-supported'],
    ['that reads the base', 'GET', '/fhir', {}, 405, 'not-supported', 'fhir-interaction-not-supported'],
    ['that wants XML', 'GET', 'Patient', { headers: { accept: 'application/fhir+xml' } }, 406, 'not-supported', 'request-not-acceptable'],
    ['that wants XML by _format, whatever it accepts', 'GET', 'Patient?_format=xml', { headers: { accept: '*/*' } }, 406, 'not-supported', 'request-not-acceptable'],
    ['that wants R5', 'GET', 'Patient', { headers: { accept: 'application/fhir+json; fhirVersion=5.0' } }, 406, 'not-supported', 'request-not-acceptable'],
    ['with XML', 'POST', 'Patient', { payload: '<Patient/>', headers: { 'content-type': 'application/fhir+xml' } }, 415, 'not-supported', 'request-content-type'],
    ['without a Content-Type', 'POST', 'Patient', { payload: Buffer.from('{}') }, 415, 'not-supported', 'request-content-type'],
    ['with a patch of another kind', 'PATCH', 'Patient/1', { json: {} }, 415, 'not-supported', 'request-content-type'],
    ['with a compressed body', 'POST', 'Patient', { json: PATIENT, headers: { 'content-encoding': 'gzip' } }, 415, 'not-supported', 'request-content-type'],
    ['with what is not JSON', 'POST', 'Patient', { payload: '{"resourceType":', headers: { 'content-type': 'application/fhir+json' } }, 400, 'structure', 'request-invalid'],
    ['with the same key twice', 'POST', 'Patient', { payload: '{"resourceType":"Patient","resourceType":"Patient"}', headers: { 'content-type': 'application/fhir+json' } }, 400, 'structure', 'request-invalid'],
    ['with 129 levels', 'POST', 'Patient', { payload: `${'['.repeat(129)}${']'.repeat(129)}`, headers: { 'content-type': 'application/fhir+json' } }, 400, 'structure', 'request-invalid'],
    ['without a body', 'POST', 'Patient', { headers: { 'content-type': 'application/fhir+json' } }, 400, 'invalid', 'fhir-structure'],
    ['without a resourceType', 'POST', 'Patient', { json: {} }, 400, 'invalid', 'fhir-structure'],
    ['with another resourceType than the address', 'POST', 'Patient', { json: { resourceType: 'Encounter' } }, 400, 'invalid', 'fhir-structure'],
    ['with an unknown element', 'POST', 'Patient', { json: { ...PATIENT, colour: 'red' } }, 400, 'structure', 'fhir-structure'],
    ['with a bad date', 'POST', 'Patient', { json: { ...PATIENT, birthDate: '1950-02-30' } }, 400, 'value', 'fhir-structure'],
    ['with a bad code', 'POST', 'Patient', { json: { ...PATIENT, gender: 'f' } }, 400, 'code-invalid', 'fhir-structure'],
    ['with a missing element', 'POST', 'Encounter', { json: { resourceType: 'Encounter', status: 'finished' } }, 400, 'required', 'fhir-structure'],
    ['with a profile that is not met', 'POST', 'BodyStructure', { json: { resourceType: 'BodyStructure', patient: { display: 'x' }, meta: { profile: ['https://sutura.dev/fhir/StructureDefinition/sutura-wound'] } } }, 422, 'invariant', 'fhir-profile'],
    ['with the label of AI', 'POST', 'Patient', { json: { ...PATIENT, meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'AIAST' }] } } }, 422, 'invariant', 'fhir-business-rule'],
    ['with a reference to nothing', 'POST', 'Encounter', { json: { resourceType: 'Encounter', status: 'finished', class: { code: 'AMB' }, subject: { reference: 'Patient/nobody' } } }, 400, 'value', 'fhir-reference'],
    ['with a reference that only a Bundle resolves', 'POST', 'Encounter', { json: { resourceType: 'Encounter', status: 'finished', class: { code: 'AMB' }, subject: { reference: 'urn:uuid:0199e1c4-6b00-7d44-8b30-7a8b9c0d1e08' } } }, 400, 'invalid', 'fhir-reference'],
    ['with a conditional create where there is none', 'POST', 'Task', { json: { resourceType: 'Task', status: 'requested', intent: 'order' }, headers: { 'if-none-exist': 'identifier=a|b' } }, 400, 'invalid', 'fhir-search'],
    ['with a wound’s criteria that name no patient', 'POST', 'BodyStructure', { json: { resourceType: 'BodyStructure', patient: { display: 'x' } }, headers: { 'if-none-exist': 'identifier=a|b' } }, 400, 'invalid', 'fhir-search'],
    ['with a bad page size of a history', 'GET', 'Patient/1/_history?_count=abc', {}, 400, 'invalid', 'request-invalid'],
    ['with a bad Idempotency-Key', 'POST', '/fhir', { json: {}, headers: { 'idempotency-key': '' } }, 400, 'invalid', 'request-invalid'],
    ['with a form that is none', 'POST', 'Patient/_search', { json: {} }, 415, 'not-supported', 'request-content-type'],
    ['with a definition that there is not', 'GET', 'ValueSet/none', {}, 404, 'not-found', 'fhir-not-found'],
    ['with an unknown parameter for definitions, strictly', 'GET', 'ValueSet?colour=red', { headers: { prefer: 'handling=strict' } }, 400, 'not-supported', 'fhir-search'],
    ['with a security context that is no reference', 'POST', 'Binary', { payload: 'abc', headers: { 'content-type': 'image/jpeg', 'x-security-context': 'Erika' } }, 400, 'invalid', 'request-invalid'],
    ['with an operation by GET that changes something', 'GET', 'CodeSystem/error/$validate-code', {}, 404, 'not-found', 'route-not-found'],
    ['with a method of WebDAV', 'PROPFIND', 'Patient', {}, 405, 'not-supported', 'fhir-interaction-not-supported'],
  ];

  test.each(rows)('%s', async (_, method, path, wish, status, issue, code) => {
    const answer = await call(method, path, typeof wish === 'function' ? wish() : wish);
    const first = firstIssue(answer.body);
    expect([answer.status, first.code, first.details?.coding?.[0]?.code]).toEqual([status, issue, code]);
    expect(answer.body).toMatchObject({ resourceType: 'OperationOutcome' });
    expect(first).toMatchObject({ severity: 'error', details: { text: expect.stringMatching(/\w/), coding: [{ system: 'https://sutura.dev/fhir/CodeSystem/error' }] } });
    expect(first.diagnostics).toBe(`requestId=${String(answer.headers['x-request-id'])}`);
    expect(answer.headers['content-type']).toBe('application/fhir+json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('private, no-store');
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer');
    if (status === 405 && path !== 'Patient/x') expect(answer.headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
    expect(answer.text).not.toContain('Mustermann');
  });

  test('with a body over 64 MiB, before it is read', async () => {
    const answer = await call('POST', '/fhir', { payload: '{}', headers: { 'content-type': 'application/fhir+json', 'content-length': String(64 * 1024 * 1024 + 1) } });
    expect([answer.status, firstIssue(answer.body).code]).toEqual([413, 'too-long']);
  });

  test('with an address that is too long, and one that is malformed', async () => {
    const long = await call('GET', `Patient?name=${'x'.repeat(9000)}`);
    expect([long.status, firstIssue(long.body).code]).toEqual([414, 'too-long']);
    const malformed = await call('GET', 'Patient/%E0%A4%A');
    expect([malformed.status, malformed.body['resourceType']]).toEqual([400, 'OperationOutcome']);
  });

  test('with the methods that an address has', async () => {
    expect((await call('DELETE', 'Patient/1')).headers.allow).toBe('GET, HEAD, PATCH, PUT');
    expect((await call('DELETE', 'DiagnosticReport/1')).headers.allow).toBe('GET, HEAD');
    expect((await call('PUT', 'Binary')).headers.allow).toBe('POST');
    expect((await call('PATCH', 'R4/Patient')).headers.allow).toBe('GET, HEAD, POST');
  });

  test('outside the base as a problem, as before', async () => {
    const answer = await call('GET', '/fhirx');
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });
});

describe('a resource', () => {
  test('is created under an id of the server’s, and read with its validators', async () => {
    const created = await call('POST', 'Patient', { json: { ...PATIENT, id: 'mine', meta: { versionId: '9', lastUpdated: '2020-01-01T00:00:00Z', tag: [{ code: 'kept' }] } } });
    const { id, meta } = created.body as unknown as Patient;
    expect(created.status).toBe(201);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(meta).toEqual({ versionId: '1', lastUpdated: expect.stringContaining('2026-'), tag: [{ code: 'kept' }] });
    expect(created.headers).toMatchObject({ location: `https://wounds.example/fhir/Patient/${id}/_history/1`, etag: 'W/"1"', 'last-modified': new Date(meta!.lastUpdated!).toUTCString() });
    const read = await call('GET', `R4/Patient/${id}`);
    expect(read).toMatchObject({ status: 200, headers: { etag: 'W/"1"', 'content-type': 'application/fhir+json; charset=utf-8', 'cache-control': 'private, no-store' } });
    expect(read.body).toEqual(created.body);
    expect(await call('HEAD', `Patient/${id}`)).toMatchObject({ status: 200, headers: { etag: 'W/"1"' } });
  });

  test('is not sent again to who has it', async () => {
    const { id, meta } = await createPatient();
    const modified = new Date(meta!.lastUpdated!).toUTCString();
    for (const headers of [{ 'if-none-match': 'W/"1"' }, { 'if-none-match': '"7", "1"' }, { 'if-none-match': '*' }, { 'if-modified-since': modified }]) {
      const answer = await call('GET', `Patient/${id}`, { headers: headers as Record<string, string> });
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', 'W/"1"']);
    }
    const stale = new Date(new Date(meta!.lastUpdated!).getTime() - 1000).toUTCString();
    for (const headers of [{ 'if-none-match': 'W/"2"' }, { 'if-modified-since': stale }, { 'if-none-match': 'W/"2"', 'if-modified-since': modified }, { 'if-modified-since': 'yesterday' }]) {
      expect((await call('GET', `Patient/${id}`, { headers: headers as Record<string, string> })).status).toBe(200);
    }
  });

  test('is changed from its present version only', async () => {
    const patient = await createPatient();
    const put = (body: object, headers: Record<string, string> = {}) => call('PUT', `Patient/${patient.id}`, { json: body, headers });
    expect((await put({ ...patient, id: 'other' })).status).toBe(400);
    expect(firstIssue((await put({ ...patient, id: undefined })).body).details?.coding?.[0]?.code).toBe('fhir-id-mismatch');
    const stale = await put(patient, { 'if-match': 'W/"7"' });
    expect([stale.status, firstIssue(stale.body).code]).toEqual([412, 'conflict']);
    const changed = await put({ ...patient, active: true }, { 'if-match': 'W/"1"' });
    expect(changed).toMatchObject({ status: 200, headers: { etag: 'W/"2"', 'content-location': `https://wounds.example/fhir/Patient/${patient.id}/_history/2` }, body: { active: true, meta: { versionId: '2' } } });
    expect((await call('GET', `Patient/${patient.id}/_history/1`)).body).toEqual(patient);
    expect((await put({ ...patient, active: false }, { 'if-match': 'W/"1"' })).status).toBe(412);
    expect((await put({ ...patient, active: false })).status).toBe(200);
  });

  test('is changed without If-Match only where that is allowed', async () => {
    const patient = await createPatient();
    const strict = await startApp({ FHIR_REQUIRE_IF_MATCH: 'true' });
    try {
      const bare = await call('PUT', `Patient/${patient.id}`, { json: patient }, strict);
      expect([bare.status, firstIssue(bare.body).code]).toEqual([412, 'conflict']);
      expect((await call('PUT', `Patient/${patient.id}`, { json: patient, headers: { 'if-match': 'W/"1"' } }, strict)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('is patched as a whole or not at all', async () => {
    const { id } = await createPatient();
    const patch = (operations: unknown) => call('PATCH', `Patient/${id}`, { payload: JSON.stringify(operations), headers: { 'content-type': 'application/json-patch+json' } });
    const rows: [unknown, number, string][] = [
      [{}, 400, 'fhir-patch'],
      [[], 400, 'fhir-patch'],
      [[{ op: 'set', path: '/active', value: true }], 400, 'fhir-patch'],
      [[{ op: 'replace', path: '/none/0/x', value: 1 }], 400, 'fhir-patch'],
      [[{ op: 'replace', path: '', value: {} }], 400, 'fhir-patch'],
      [[{ op: 'add', path: '/__proto__/polluted', value: true }], 400, 'fhir-patch'],
      [[{ op: 'replace', path: '/id', value: 'x' }], 400, 'fhir-patch'],
      [[{ op: 'add', path: '/active', value: true }, { op: 'test', path: '/gender', value: 'male' }], 422, 'fhir-patch-test'],
      [[{ op: 'add', path: '/colour', value: 'red' }], 400, 'fhir-structure'],
    ];
    for (const [operations, status, code] of rows) {
      const answer = await patch(operations);
      expect([answer.status, firstIssue(answer.body).details?.coding?.[0]?.code]).toEqual([status, code]);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const answer = await patch([{ op: 'test', path: '/gender', value: 'female' }, { op: 'replace', path: '/gender', value: 'other' }, { op: 'add', path: '/name/0/given/-', value: 'Maria' }]);
    expect(answer).toMatchObject({ status: 200, headers: { etag: 'W/"2"' }, body: { gender: 'other', name: [{ given: ['Erika', 'Maria'] }] } });
  });

  test('has a history, newest first, page by page', async () => {
    const patient = await createPatient();
    for (const active of [true, false]) await call('PUT', `Patient/${patient.id}`, { json: { ...patient, active } });
    const first = await call('GET', `Patient/${patient.id}/_history?_count=2`);
    const bundle = first.body as unknown as { total: number; link: { relation: string; url: string }[]; entry: { fullUrl: string; request: object; response: object }[] };
    expect(bundle).toMatchObject({ type: 'history', total: 3, entry: [{ response: { etag: 'W/"3"', status: '200' } }, { request: { method: 'PUT', url: `Patient/${patient.id}` } }] });
    const next = bundle.link.find(({ relation }) => relation === 'next')!.url;
    const second = await call('GET', next.replace('https://wounds.example', ''));
    expect(second.body).toMatchObject({ entry: [{ fullUrl: `https://wounds.example/fhir/Patient/${patient.id}`, request: { method: 'POST', url: 'Patient' }, response: { status: '201' } }] });
    expect((second.body['link'] as { relation: string }[]).map(({ relation }) => relation)).toEqual(['self']);
  });

  test('is answered in the form that was preferred', async () => {
    const minimal = await call('POST', 'Patient', { json: PATIENT, headers: { prefer: 'return=minimal' } });
    expect([minimal.status, minimal.text, minimal.headers.etag]).toEqual([201, '', 'W/"1"']);
    expect(minimal.headers.location).toMatch(/^https:\/\/wounds\.example\/fhir\/Patient\//);
    const outcome = await call('POST', 'Patient', { json: PATIENT, headers: { prefer: 'return=OperationOutcome' } });
    expect(outcome.body).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ severity: 'information' }] });
    const pretty = await call('POST', 'Patient?_pretty=true', { json: PATIENT, headers: { prefer: 'return=representation' } });
    expect(pretty.text).toContain('\n  "resourceType": "Patient"');
  });

  test('is created once under the same criteria', async () => {
    const value = `once-${Math.random()}`;
    const json = { ...PATIENT, identifier: [{ system: 'urn:oid:1.2.3', value }] };
    const headers = { 'if-none-exist': `identifier=urn:oid:1.2.3|${value}` };
    const created = await call('POST', 'Patient', { json, headers });
    const matched = await call('POST', 'Patient', { json: { ...json, active: true }, headers });
    expect([created.status, matched.status, matched.headers.location]).toEqual([201, 200, created.headers.location]);
    expect(matched.body).toEqual(created.body);
    await call('POST', 'Patient', { json });
    const ambiguous = await call('POST', 'Patient', { json, headers });
    expect([ambiguous.status, firstIssue(ambiguous.body).code]).toEqual([412, 'multiple-matches']);
  });

  test('keeps references into this server relative, and others as they are', async () => {
    const { id } = await createPatient();
    const json = { resourceType: 'Encounter', status: 'finished', class: { code: 'AMB' }, subject: { reference: `https://wounds.example/fhir/R4/Patient/${id}` }, serviceProvider: { reference: 'https://other.example/fhir/Organization/1' } };
    const { body } = await call('POST', 'Encounter', { json });
    expect(body).toMatchObject({ subject: { reference: `Patient/${id}` }, serviceProvider: { reference: 'https://other.example/fhir/Organization/1' } });
  });

  test('of another organization is not there, for any interaction', async () => {
    const { id } = await createPatient();
    const key = issueKey(SCOPES, 'organization-2');
    const answers = [await call('GET', `Patient/${id}`, { key }), await call('GET', `Patient/${id}/_history`, { key }), await call('GET', `Patient/${id}/_history/1`, { key })];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await call('PUT', `Patient/${id}`, { key, json: { ...PATIENT, id } })).status).toBe(405);
    expect((await call('POST', 'Encounter', { key, json: { resourceType: 'Encounter', status: 'finished', class: { code: 'AMB' }, subject: { reference: `Patient/${id}` } } })).status).toBe(400);
  });

  test('of another key is hidden from keys that only write', async () => {
    const { id } = await createPatient();
    const key = issueKey(['images:write']);
    expect((await call('GET', `Patient/${id}`, { key })).status).toBe(404);
    const hidden = await call('PUT', `Patient/${id}`, { key, json: { ...PATIENT, id } });
    expect([hidden.status, hidden.text]).toEqual([200, '']);
    const own = await call('POST', 'Patient', { key, json: PATIENT });
    expect((await call('GET', `Patient/${String(own.body['id'])}`, { key })).status).toBe(200);
    await call('GET', 'Patient', { key });
    expect(search.asked.at(-1)).toMatchObject({ options: { visible: 'own' } });
  });

  test('is written into the audit trail', async () => {
    const { id } = await createPatient();
    await call('GET', `Patient/${id}`, { headers: { 'if-none-match': 'W/"1"' } });
    await call('GET', 'Patient?name=Mustermann&_format=json');
    expect(trail.accesses.slice(-3)).toMatchObject([
      { interaction: 'create', action: 'C', patients: [id], resources: [`Patient/${id}`] },
      { interaction: 'read', action: 'R', resources: [`Patient/${id}`] },
      { interaction: 'search-type', query: 'name=Mustermann' },
    ]);
  });
});

describe('searches', () => {
  test('go by GET and by POST, with the parameters of both', async () => {
    await call('GET', 'Patient?name=A&_pretty=true', { headers: { prefer: 'handling=strict' } });
    expect(search.asked.at(-1)).toEqual({ type: 'Patient', parameters: 'name=A', options: { strict: true, visible: 'all' } });
    await call('POST', 'Patient/_search?name=A', { payload: 'family=B&_format=json', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    expect(search.asked.at(-1)).toEqual({ type: 'Patient', parameters: 'name=A&family=B', options: { strict: false, visible: 'all' } });
  });

  test('find definitions by url, name and status', async () => {
    const found = await call('GET', 'StructureDefinition?url=https://sutura.dev/fhir/StructureDefinition/sutura-wound&status=draft,active');
    expect(found.body).toMatchObject({ total: 1, entry: [{ resource: { id: 'sutura-wound', snapshot: { element: expect.anything() } }, search: { mode: 'match' } }] });
    expect((await call('GET', 'CodeSystem?name:contains=ERROR&_count=1')).body).toMatchObject({ total: 2, link: [{ relation: 'self' }, { relation: 'next', url: expect.stringContaining('_offset=1') }] });
    expect((await call('GET', 'CodeSystem?colour=red&_count=0')).body).toMatchObject({ total: 6, entry: [{ search: { mode: 'outcome' }, resource: { issue: [{ severity: 'warning' }] } }] });
  });
});

describe('a definition', () => {
  test('is read by any key, with an entity tag', async () => {
    const key = issueKey(['images:write']);
    const read = await call('GET', 'CodeSystem/error', { key });
    expect(read).toMatchObject({ status: 200, body: { url: 'https://sutura.dev/fhir/CodeSystem/error' }, headers: { etag: expect.stringMatching(/^W\/"1\.0\.0-[0-9a-f]{8}"$/) } });
    const versionId = (read.body['meta'] as { versionId: string }).versionId;
    expect((await call('GET', `CodeSystem/error/_history/${versionId}`, { key })).body).toEqual(read.body);
    expect((await call('GET', 'CodeSystem/error', { key, headers: { 'if-none-match': String(read.headers.etag) } })).status).toBe(304);
    expect((await call('PUT', 'CodeSystem/error', { json: {} })).status).toBe(405);
  });
});

describe('bytes', () => {
  const post = (headers: Record<string, string> = {}) => call('POST', 'Binary', { payload: Buffer.from('0123456789'), headers: { 'content-type': 'image/jpeg', ...headers } });

  test('are kept as they are, and served in their own type', async () => {
    const created = await post({ 'x-security-context': 'https://wounds.example/fhir/Patient/1' });
    expect([created.status, created.headers.location]).toEqual([201, 'https://wounds.example/fhir/Binary/bytes-1/_history/1']);
    const raw = await call('GET', 'Binary/bytes-1');
    expect(raw).toMatchObject({ status: 200, text: '0123456789', headers: { 'content-type': 'image/jpeg', etag: '"tag-bytes-1"', 'content-disposition': 'attachment', 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store', 'x-security-context': 'Patient/1' } });
    expect((await call('GET', 'Binary/bytes-1', { headers: { 'if-none-match': '"tag-bytes-1"' } })).status).toBe(304);
    expect((await call('GET', 'Binary/bytes-1', { headers: { accept: 'image/*' } })).text).toBe('0123456789');
  });

  test('are a resource for who accepts FHIR', async () => {
    for (const [path, accept] of [['Binary/bytes-1', 'application/fhir+json'], ['Binary/bytes-1?_format=json', 'image/jpeg'], ['Binary/bytes-1', 'image/jpeg;q=0.5, application/fhir+json']] as const) {
      const answer = await call('GET', path, { headers: { accept } });
      expect(answer).toMatchObject({ status: 200, body: { resourceType: 'Binary', contentType: 'image/jpeg', data: Buffer.from('0123456789').toString('base64') } });
    }
    const refused = await call('GET', 'Binary/bytes-1', { headers: { accept: 'text/html' } });
    expect([refused.status, refused.body['resourceType']]).toEqual([406, 'OperationOutcome']);
  });

  test.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('are served in part for %s', async (range, status, text, contentRange) => {
    const answer = await call('GET', 'Binary/bytes-1', { headers: { range } });
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, contentRange]);
  });

  test('of a changed Binary are sent whole', async () => {
    expect((await call('GET', 'Binary/bytes-1', { headers: { range: 'bytes=2-4', 'if-range': '"old"' } })).status).toBe(200);
  });

  test('that are refused are taken back', async () => {
    const answer = await post({ 'if-none-exist': 'identifier=a|b' });
    expect([answer.status, binaries.discarded]).toEqual([400, ['bytes-2']]);
  });
});

describe('the base', () => {
  test('hands a Bundle on with its preferences and its idempotency key', async () => {
    const json = { resourceType: 'Bundle', type: 'batch' };
    const answer = await call('POST', '/fhir/R4', { json, headers: { prefer: 'return=minimal, respond-async', 'idempotency-key': '"k-1"', 'x-request-id': 'ehr-1' } });
    expect(answer).toMatchObject({ status: 200, body: { type: 'batch-response' } });
    expect(bundles.requests.at(-1)).toEqual({ base: 'https://wounds.example/fhir/R4', requestId: 'ehr-1', body: json, preferences: { return: 'minimal', strict: false, respondAsync: true }, idempotencyKey: 'k-1' });
  });
});

describe('metadata', () => {
  test('is public, and the same for who has it', async () => {
    const answer = await call('GET', 'metadata?mode=full', { key: null });
    expect(answer).toMatchObject({ status: 200, body: { resourceType: 'CapabilityStatement', fhirVersion: '4.0.1', implementation: { url: 'https://wounds.example/fhir' } } });
    expect((await call('GET', 'metadata', { key: null, headers: { 'if-none-match': String(answer.headers.etag) } })).status).toBe(304);
    expect((await call('GET', 'metadata?mode=terminology', { key: null })).status).toBe(400);
    expect((await call('GET', 'metadata', { key: null, headers: { accept: 'text/html' } })).status).toBe(406);
  });
});

describe('$validate', () => {
  test('says what is wrong with a resource, and refuses nothing for it', async () => {
    const bad = await call('POST', 'Patient/$validate', { json: { ...PATIENT, gender: 'f' } });
    expect(bad).toMatchObject({ status: 200, body: { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'code-invalid', expression: ['Patient.gender'] }] } });
    expect(firstIssue((await call('POST', 'Patient/$validate', { json: { resourceType: 'Encounter' } })).body).code).toBe('invalid');
    expect(firstIssue((await call('POST', 'Patient/$validate', { json: PATIENT })).body)).toMatchObject({ severity: 'information' });
  });

  test('takes a resource as a parameter, with a profile and a mode', async () => {
    const ask = (parameter: object[]) => call('POST', 'BodyStructure/$validate', { json: { resourceType: 'Parameters', parameter } });
    const resource = { resourceType: 'BodyStructure', patient: { display: 'x' } };
    expect(firstIssue((await ask([{ name: 'resource', resource }])).body)).toMatchObject({ severity: 'information' });
    const profiled = await ask([{ name: 'resource', resource }, { name: 'profile', valueUri: 'https://sutura.dev/fhir/StructureDefinition/sutura-wound' }]);
    expect(firstIssue(profiled.body)).toMatchObject({ severity: 'error', code: 'invariant' });
    expect(firstIssue((await ask([{ name: 'resource', resource }, { name: 'mode', valueCode: 'delete' }])).body)).toMatchObject({ severity: 'error', code: 'not-supported' });
    expect(firstIssue((await ask([{ name: 'resource', resource }, { name: 'mode', valueCode: 'update' }])).body)).toMatchObject({ severity: 'error', code: 'invalid' });
    expect((await ask([{ name: 'resource', resource }, { name: 'mode', valueCode: 'other' }])).status).toBe(400);
    expect((await ask([])).status).toBe(400);
  });

  test('looks at what is kept', async () => {
    const { id } = await createPatient();
    expect(firstIssue((await call('GET', `Patient/${id}/$validate`)).body)).toMatchObject({ severity: 'information' });
    expect((await call('GET', 'Patient/nobody/$validate')).status).toBe(404);
  });
});
