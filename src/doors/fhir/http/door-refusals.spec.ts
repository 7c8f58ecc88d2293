import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Patient } from '@medplum/fhirtypes';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import { callDoor, firstIssue, issueKey, startDoor, type DoorRequest } from '../../../../test/support/fhir-door.js';

let app: NestFastifyApplication;
let everything: string;

const call = (method: string, path: string, request: DoorRequest = {}, at = app) =>
  callDoor(at, method, path, { key: everything, ...request });

const PATIENT: Patient = {
  resourceType: 'Patient',
  identifier: [{ system: 'urn:oid:1.2.3', value: 'W-12' }],
  name: [{ family: 'Mustermann', given: ['Erika'] }],
  gender: 'female',
  birthDate: '1950-03-01',
};

beforeAll(async () => {
  everything = issueKey(SCOPES);
  app = await startDoor();
});
afterAll(() => app.close());

describe('a request is refused with an OperationOutcome', () => {
  const rows: [
    title: string,
    method: string,
    path: string,
    request: DoorRequest | (() => DoorRequest),
    status: number,
    issue: string,
    code: string,
  ][] = [
    ['without a key', 'GET', 'Patient/1', { key: null }, 401, 'login', 'auth-missing'],
    ['with a wrong key', 'GET', 'Patient/1', { key: 'sut_test_wrong' }, 401, 'login', 'auth-invalid'],
    [
      'with a key that lacks the scope to create',
      'POST',
      'Patient',
      () => ({ key: issueKey(['analysis:read']), json: PATIENT }),
      403,
      'forbidden',
      'auth-scope',
    ],
    [
      'with a key that lacks the scope to search',
      'GET',
      'DiagnosticReport',
      () => ({ key: issueKey(['images:write']) }),
      403,
      'forbidden',
      'auth-scope',
    ],
    [
      'for the audit trail, of a key that reads all else',
      'GET',
      'AuditEvent',
      () => ({ key: issueKey(SCOPES.filter((scope) => scope !== 'audit:read')) }),
      403,
      'forbidden',
      'auth-scope',
    ],
    [
      'for a type that R4 has and this server has not',
      'GET',
      'Immunization/1',
      {},
      404,
      'not-supported',
      'fhir-type-not-supported',
    ],
    ['for a type that R4 has not', 'POST', 'Wound', { json: {} }, 404, 'not-supported', 'fhir-type-not-supported'],
    ['for an address that FHIR has not', 'GET', 'Patient/1/2/3/4', {}, 404, 'not-found', 'route-not-found'],
    ['for an operation that there is not', 'POST', 'Patient/1/$everything', {}, 404, 'not-found', 'route-not-found'],
    [
      'for an unknown id',
      'GET',
      'Patient/0199e1c4-6b00-7d44-8b30-7a8b9c0d1e08',
      {},
      404,
      'not-found',
      'fhir-not-found',
    ],
    ['for an unknown version', 'GET', 'Patient/1/_history/abc', {}, 404, 'not-found', 'fhir-not-found'],
    ['that deletes what never was', 'DELETE', 'Patient/1', {}, 404, 'not-found', 'fhir-not-found'],
    [
      'that deletes a report',
      'DELETE',
      'DiagnosticReport/1',
      {},
      405,
      'not-supported',
      'fhir-interaction-not-supported',
    ],
    [
      'that creates a report',
      'POST',
      'DiagnosticReport',
      { json: {} },
      405,
      'not-supported',
      'fhir-interaction-not-supported',
    ],
    [
      'that changes a report',
      'PUT',
      'DiagnosticReport/1',
      { json: {} },
      405,
      'not-supported',
      'fhir-interaction-not-supported',
    ],
    ['that writes metadata', 'POST', 'metadata', { json: {} }, 405, 'not-supported', 'fhir-interaction-not-supported'],
    ['that reads the base', 'GET', '/fhir', {}, 405, 'not-supported', 'fhir-interaction-not-supported'],
    [
      'that wants turtle',
      'GET',
      'Patient',
      { headers: { accept: 'application/fhir+turtle' } },
      406,
      'not-supported',
      'request-not-acceptable',
    ],
    [
      'that wants turtle by _format, whatever it accepts',
      'GET',
      'Patient?_format=ttl',
      { headers: { accept: '*/*' } },
      406,
      'not-supported',
      'request-not-acceptable',
    ],
    [
      'that wants R5',
      'GET',
      'Patient',
      { headers: { accept: 'application/fhir+json; fhirVersion=5.0' } },
      406,
      'not-supported',
      'request-not-acceptable',
    ],
    [
      'with turtle',
      'POST',
      'Patient',
      { payload: '[] a fhir:Patient .', headers: { 'content-type': 'text/turtle' } },
      415,
      'not-supported',
      'request-content-type',
    ],
    [
      'without a Content-Type',
      'POST',
      'Patient',
      { payload: Buffer.from('{}') },
      415,
      'not-supported',
      'request-content-type',
    ],
    [
      'with a patch of another kind',
      'PATCH',
      'Patient/1',
      { json: {}, headers: { 'content-type': 'application/fhir+xml' } },
      415,
      'not-supported',
      'request-content-type',
    ],
    [
      'with a body packed by another coding',
      'POST',
      'Patient',
      { json: PATIENT, headers: { 'content-encoding': 'br' } },
      415,
      'not-supported',
      'request-content-type',
    ],
    [
      'with what is not JSON',
      'POST',
      'Patient',
      { payload: '{"resourceType":', headers: { 'content-type': 'application/fhir+json' } },
      400,
      'structure',
      'request-invalid',
    ],
    [
      'with the same key twice',
      'POST',
      'Patient',
      {
        payload: '{"resourceType":"Patient","resourceType":"Patient"}',
        headers: { 'content-type': 'application/fhir+json' },
      },
      400,
      'structure',
      'request-invalid',
    ],
    [
      'with 129 levels',
      'POST',
      'Patient',
      { payload: `${'['.repeat(129)}${']'.repeat(129)}`, headers: { 'content-type': 'application/fhir+json' } },
      400,
      'structure',
      'request-invalid',
    ],
    [
      'without a body',
      'POST',
      'Patient',
      { headers: { 'content-type': 'application/fhir+json' } },
      400,
      'invalid',
      'fhir-structure',
    ],
    ['without a resourceType', 'POST', 'Patient', { json: {} }, 400, 'invalid', 'fhir-structure'],
    [
      'with another resourceType than the address',
      'POST',
      'Patient',
      { json: { resourceType: 'Encounter' } },
      400,
      'invalid',
      'fhir-structure',
    ],
    [
      'with an unknown element',
      'POST',
      'Patient',
      { json: { ...PATIENT, colour: 'red' } },
      400,
      'structure',
      'fhir-structure',
    ],
    [
      'with a bad date',
      'POST',
      'Patient',
      { json: { ...PATIENT, birthDate: '1950-02-30' } },
      400,
      'value',
      'fhir-structure',
    ],
    [
      'with a bad code',
      'POST',
      'Patient',
      { json: { ...PATIENT, gender: 'f' } },
      400,
      'code-invalid',
      'fhir-structure',
    ],
    [
      'with a missing element',
      'POST',
      'Encounter',
      { json: { resourceType: 'Encounter', status: 'finished' } },
      400,
      'required',
      'fhir-structure',
    ],
    [
      'with a profile that is not met',
      'POST',
      'BodyStructure',
      {
        json: {
          resourceType: 'BodyStructure',
          patient: { display: 'x' },
          meta: { profile: ['https://sutura.dev/fhir/StructureDefinition/sutura-wound'] },
        },
      },
      422,
      'invariant',
      'fhir-profile',
    ],
    [
      'with the label of AI',
      'POST',
      'Patient',
      {
        json: {
          ...PATIENT,
          meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'AIAST' }] },
        },
      },
      422,
      'invariant',
      'fhir-business-rule',
    ],
    [
      'with the label of AI of our own system',
      'POST',
      'Patient',
      {
        json: {
          ...PATIENT,
          meta: { security: [{ system: 'https://sutura.dev/fhir/CodeSystem/security-label', code: 'AIAST' }] },
        },
      },
      422,
      'invariant',
      'fhir-business-rule',
    ],
    [
      'with a reference to nothing',
      'POST',
      'Encounter',
      {
        json: {
          resourceType: 'Encounter',
          status: 'finished',
          class: { code: 'AMB' },
          subject: { reference: 'Patient/nobody' },
        },
      },
      400,
      'value',
      'fhir-reference',
    ],
    [
      'with a reference that only a Bundle resolves',
      'POST',
      'Encounter',
      {
        json: {
          resourceType: 'Encounter',
          status: 'finished',
          class: { code: 'AMB' },
          subject: { reference: 'urn:uuid:0199e1c4-6b00-7d44-8b30-7a8b9c0d1e08' },
        },
      },
      400,
      'invalid',
      'fhir-reference',
    ],
    [
      'with a conditional create where there is none',
      'POST',
      'Task',
      {
        json: { resourceType: 'Task', status: 'requested', intent: 'order' },
        headers: { 'if-none-exist': 'identifier=a|b' },
      },
      400,
      'invalid',
      'fhir-search',
    ],
    [
      'with a wound’s criteria that name no patient',
      'POST',
      'BodyStructure',
      {
        json: { resourceType: 'BodyStructure', patient: { display: 'x' } },
        headers: { 'if-none-exist': 'identifier=a|b' },
      },
      400,
      'invalid',
      'fhir-search',
    ],
    [
      'with a bad page size of a history',
      'GET',
      'Patient/1/_history?_count=abc',
      {},
      400,
      'invalid',
      'request-invalid',
    ],
    [
      'with a bad Idempotency-Key',
      'POST',
      '/fhir',
      { json: {}, headers: { 'idempotency-key': '' } },
      400,
      'invalid',
      'request-invalid',
    ],
    ['with a form that is none', 'POST', 'Patient/_search', { json: {} }, 415, 'not-supported', 'request-content-type'],
    ['with a definition that there is not', 'GET', 'ValueSet/none', {}, 404, 'not-found', 'fhir-not-found'],
    [
      'with an unknown parameter for definitions, strictly',
      'GET',
      'ValueSet?colour=red',
      { headers: { prefer: 'handling=strict' } },
      400,
      'not-supported',
      'fhir-search',
    ],
    [
      'with a security context that is no reference',
      'POST',
      'Binary',
      { payload: 'abc', headers: { 'content-type': 'image/jpeg', 'x-security-context': 'Erika' } },
      400,
      'invalid',
      'request-invalid',
    ],
    [
      'with an operation by GET that changes something',
      'GET',
      'CodeSystem/error/$validate-code',
      {},
      404,
      'not-found',
      'route-not-found',
    ],
    ['with a method of WebDAV', 'PROPFIND', 'Patient', {}, 405, 'not-supported', 'fhir-interaction-not-supported'],
  ];

  test.each(rows)('%s', async (_, method, path, request, status, issue, code) => {
    const answer = await call(method, path, typeof request === 'function' ? request() : request);
    const first = firstIssue(answer.body);
    expect([answer.status, first.code, first.details?.coding?.[0]?.code]).toEqual([status, issue, code]);
    expect(answer.body).toMatchObject({ resourceType: 'OperationOutcome' });
    expect(first).toMatchObject({
      severity: 'error',
      details: { text: expect.stringMatching(/\w/), coding: [{ system: 'https://sutura.dev/fhir/CodeSystem/error' }] },
    });
    expect(first.diagnostics).toBe(`requestId=${String(answer.headers['x-request-id'])}`);
    expect(answer.headers['content-type']).toBe('application/fhir+json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('private, no-store');
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer');
    if (status === 405 && !path.startsWith('Patient/')) expect(answer.headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
    expect(answer.text).not.toContain('Mustermann');
  });

  test('with an address that is too long, and one that is malformed', async () => {
    const long = await call('GET', `Patient?name=${'x'.repeat(9000)}`);
    expect([long.status, firstIssue(long.body).code]).toEqual([414, 'too-long']);
    const malformed = await call('GET', 'Patient/%E0%A4%A');
    expect([malformed.status, malformed.body['resourceType']]).toEqual([400, 'OperationOutcome']);
  });

  test('with the methods that an address has', async () => {
    expect((await call('DELETE', 'DiagnosticReport/1')).headers.allow).toBe('GET, HEAD');
    expect((await call('PUT', 'Binary')).headers.allow).toBe('POST');
    expect((await call('DELETE', 'Task/1')).headers.allow).toBe('GET, HEAD, PATCH, PUT');
    expect((await call('DELETE', 'R4/Task')).headers.allow).toBe('GET, HEAD, POST');
  });

  test('with too many reads, for a while', async () => {
    const busy = await startDoor({ SUTURA_READS_PER_S: '1', SUTURA_READ_BURST: '1' });
    try {
      const key = issueKey(SCOPES);
      expect((await call('GET', 'CodeSystem/error', { key }, busy)).status).toBe(200);
      const refused = await call('GET', 'CodeSystem/error', { key }, busy);
      expect([refused.status, firstIssue(refused.body).code, refused.headers['retry-after']]).toEqual([
        429,
        'throttled',
        '1',
      ]);
    } finally {
      await busy.close();
    }
  });

  test('outside the base as a problem, as before', async () => {
    const answer = await call('GET', '/fhirx');
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });
});
