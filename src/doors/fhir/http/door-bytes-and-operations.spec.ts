import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Patient } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import {
  binaries,
  bundles,
  callDoor,
  firstIssue,
  issueKey,
  search,
  startDoor,
  type DoorRequest,
} from '../../../../test/support/fhir-door.js';

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

async function createPatient(value = `P-${v7()}`): Promise<Patient & { id: string }> {
  const { status, body } = await call('POST', 'Patient', {
    json: { ...PATIENT, identifier: [{ system: 'urn:oid:1.2.3', value }] },
  });
  expect(status).toBe(201);
  return body as never;
}

beforeAll(async () => {
  everything = issueKey(SCOPES);
  app = await startDoor();
});
afterAll(() => app.close());

describe('searches', () => {
  test('go by GET and by POST, with the parameters of both', async () => {
    await call('GET', 'Patient?name=A&_pretty=true', { headers: { prefer: 'handling=strict' } });
    expect(search.asked.at(-1)).toEqual({
      type: 'Patient',
      parameters: 'name=A&_pretty=true',
      options: { strict: true, visible: 'all' },
    });
    await call('POST', 'Patient/_search?name=A', {
      payload: 'family=B',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(search.asked.at(-1)).toEqual({
      type: 'Patient',
      parameters: 'name=A&family=B',
      options: { strict: false, visible: 'all' },
    });
  });

  test('find definitions by url, name and status', async () => {
    const found = await call(
      'GET',
      'StructureDefinition?url=https://sutura.dev/fhir/StructureDefinition/sutura-wound&status=draft,active',
    );
    expect(found.body).toMatchObject({
      total: 1,
      entry: [
        { resource: { id: 'sutura-wound', snapshot: { element: expect.anything() } }, search: { mode: 'match' } },
      ],
    });
    expect((await call('GET', 'CodeSystem?name:contains=ERROR&_count=1')).body).toMatchObject({
      total: 2,
      link: [{ relation: 'self' }, { relation: 'next', url: expect.stringContaining('_offset=1') }],
    });
    expect((await call('GET', 'CodeSystem?colour=red&_count=0')).body).toMatchObject({
      total: 8,
      entry: [{ search: { mode: 'outcome' }, resource: { issue: [{ severity: 'warning' }] } }],
    });
    const topic = 'https://sutura.dev/fhir/SubscriptionTopic/wound-assessment-report';
    expect((await call('GET', `Basic?url=${topic}&status=active`)).body).toMatchObject({
      total: 1,
      entry: [{ resource: { id: 'wound-assessment-report', code: { coding: [{ code: 'SubscriptionTopic' }] } } }],
    });
    expect((await call('GET', 'ImplementationGuide/dev.sutura.fhir')).body).toMatchObject({
      packageId: 'dev.sutura.fhir',
      fhirVersion: ['4.0.1'],
    });
  });
});

describe('a definition', () => {
  test('is read by any key, with an entity tag', async () => {
    const key = issueKey(['images:write']);
    const read = await call('GET', 'CodeSystem/error', { key });
    expect(read).toMatchObject({
      status: 200,
      body: { url: 'https://sutura.dev/fhir/CodeSystem/error' },
      headers: { etag: expect.stringMatching(/^W\/"1\.1\.0-[0-9a-f]{8}"$/) },
    });
    const versionId = (read.body['meta'] as { versionId: string }).versionId;
    expect((await call('GET', `CodeSystem/error/_history/${versionId}`, { key })).body).toEqual(read.body);
    expect(
      (await call('GET', 'CodeSystem/error', { key, headers: { 'if-none-match': String(read.headers.etag) } })).status,
    ).toBe(304);
    expect((await call('PUT', 'CodeSystem/error', { json: {} })).status).toBe(405);
  });
});

describe('bytes', () => {
  const post = (headers: Record<string, string> = {}) =>
    call('POST', 'Binary', {
      payload: Buffer.from('0123456789'),
      headers: { 'content-type': 'image/jpeg', ...headers },
    });

  test('are kept as they are, and served in their own type', async () => {
    const created = await post({ 'x-security-context': 'https://wounds.example/fhir/Patient/1' });
    expect([created.status, created.headers.location]).toEqual([
      201,
      'https://wounds.example/fhir/Binary/bytes-1/_history/1',
    ]);
    const raw = await call('GET', 'Binary/bytes-1');
    expect(raw).toMatchObject({
      status: 200,
      text: '0123456789',
      headers: {
        'content-type': 'image/jpeg',
        etag: '"tag-bytes-1"',
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
        'x-security-context': 'Patient/1',
      },
    });
    expect((await call('GET', 'Binary/bytes-1', { headers: { 'if-none-match': '"tag-bytes-1"' } })).status).toBe(304);
    expect((await call('GET', 'Binary/bytes-1', { headers: { accept: 'image/*' } })).text).toBe('0123456789');
  });

  test('are a resource for who accepts FHIR', async () => {
    for (const [path, accept] of [
      ['Binary/bytes-1', 'application/fhir+json'],
      ['Binary/bytes-1?_format=json', 'image/jpeg'],
      ['Binary/bytes-1', 'image/jpeg;q=0.5, application/fhir+json'],
    ] as const) {
      const answer = await call('GET', path, { headers: { accept } });
      expect(answer).toMatchObject({
        status: 200,
        body: { resourceType: 'Binary', contentType: 'image/jpeg', data: Buffer.from('0123456789').toString('base64') },
      });
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
    expect((await call('GET', 'Binary/bytes-1', { headers: { range: 'bytes=2-4', 'if-range': '"old"' } })).status).toBe(
      200,
    );
  });

  test('that are refused are taken back', async () => {
    const answer = await post({ 'if-none-exist': 'identifier=a|b' });
    expect([answer.status, binaries.discarded]).toEqual([400, ['bytes-2']]);
  });
});

describe('the base', () => {
  test('hands a Bundle on with its preferences and its idempotency key', async () => {
    const json = { resourceType: 'Bundle', type: 'batch' };
    const answer = await call('POST', '/fhir/R4', {
      json,
      headers: { prefer: 'return=minimal, respond-async', 'idempotency-key': '"k-1"', 'x-request-id': 'ehr-1' },
    });
    expect(answer).toMatchObject({ status: 200, body: { type: 'batch-response' } });
    expect(bundles.requests.at(-1)).toEqual({
      base: 'https://wounds.example/fhir/R4',
      requestId: 'ehr-1',
      body: json,
      preferences: { return: 'minimal', strict: false, lenient: false, respondAsync: true },
      idempotencyKey: 'k-1',
    });
  });
});

describe('metadata', () => {
  test('is public, and the same for who has it', async () => {
    const answer = await call('GET', 'metadata?mode=full', { key: null });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        resourceType: 'CapabilityStatement',
        fhirVersion: '4.0.1',
        implementation: { url: 'https://wounds.example/fhir' },
      },
    });
    expect(
      (await call('GET', 'metadata', { key: null, headers: { 'if-none-match': String(answer.headers.etag) } })).status,
    ).toBe(304);
    expect((await call('GET', 'metadata?mode=terminology', { key: null })).status).toBe(400);
    expect((await call('GET', 'metadata', { key: null, headers: { accept: 'text/html' } })).status).toBe(406);
  });
});

describe('a narrative that R4 does not take', () => {
  const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml"><p onclick="x">a</p></div>' };
  const good = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml"><p>a</p></div>' };
  const contained = [{ resourceType: 'Organization', id: 'o', name: 'O', text }];

  test('is refused wherever one stands, and however it comes', async () => {
    const { id } = await createPatient();
    const patch = (value: object) =>
      call('PATCH', `Patient/${id}`, {
        payload: JSON.stringify([{ op: 'add', path: '/text', value }]),
        headers: { 'content-type': 'application/json-patch+json' },
      });
    for (const [answer, place] of [
      [await call('POST', 'Patient', { json: { ...PATIENT, text } }), 'Patient.text.div'],
      [
        await call('POST', 'Patient', { json: { ...PATIENT, contained, managingOrganization: { reference: '#o' } } }),
        'Patient.contained[0].text.div',
      ],
      [await call('PUT', `Patient/${id}`, { json: { ...PATIENT, id, text } }), 'Patient.text.div'],
      [await patch(text), 'Patient.text.div'],
    ] as const) {
      expect([answer.status, firstIssue(answer.body)]).toMatchObject([
        422,
        { expression: [place], details: { coding: [{ code: 'fhir-narrative' }] } },
      ]);
    }
    expect((await patch(good)).status).toBe(200);
  });
});

describe('what is more than a resource holds', () => {
  test.each<[string, object]>([
    ['names', { name: Array.from({ length: 1001 }, () => ({ family: 'A' })) }],
    [
      'values',
      {
        extension: Array.from({ length: 999 }, () => ({
          url: 'urn:x',
          extension: Array.from({ length: 4 }, () => ({ url: 'a', valueString: 'b' })),
        })),
      },
    ],
    ['text', { name: Array.from({ length: 3 }, () => ({ text: 'x'.repeat(1_000_000) })) }],
  ])('is too large, to be stored and to be validated: %s', async (_, more) => {
    for (const path of ['Patient', 'Patient/$validate'])
      expect((await call('POST', path, { json: { ...PATIENT, ...more } })).status).toBe(413);
  });

  test('is told of a patch, and nothing is changed', async () => {
    const { id } = await createPatient();
    const copies = Array.from({ length: 26 }, () => ({ op: 'copy', from: '/extension', path: '/extension/-' }));
    const payload = JSON.stringify([
      { op: 'add', path: '/extension', value: [{ url: 'urn:x', valueString: 'x'.repeat(1000) }] },
      ...copies,
    ]);
    const { status, body } = await call('PATCH', `Patient/${id}`, {
      payload,
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect([status, firstIssue(body).code]).toEqual([413, 'too-long']);
    expect((await call('GET', `Patient/${id}`)).body['meta']).toMatchObject({ versionId: '1' });
  });

  test('is named in fifty places, and no more', async () => {
    const { body } = await call('POST', 'Patient/$validate', {
      json: { ...PATIENT, name: Array.from({ length: 200 }, () => ({ mood: 'good' })) },
    });
    expect(body['issue']).toHaveLength(51);
    expect(body['issue'][50]).toMatchObject({
      severity: 'information',
      details: { text: expect.stringContaining('50') },
    });
  });
});

describe('text that is no Unicode', () => {
  test.each([
    String.raw`{"resourceType":"Patient","name":[{"family":"a\ud800b"}]}`,
    String.raw`{"resourceType":"Patient","\udc00":1}`,
  ])('is refused: %s', async (payload) => {
    const { status, body } = await call('POST', 'Patient', {
      payload,
      headers: { 'content-type': 'application/fhir+json' },
    });
    expect([status, firstIssue(body).code]).toEqual([400, 'structure']);
  });
});

describe('$validate', () => {
  test('needs a scope that reads or writes resources', async () => {
    const ask = async (scope: 'analysis:review' | 'analysis:read' | 'analysis:write' | 'images:write') =>
      (await call('POST', 'Patient/$validate', { json: PATIENT, key: issueKey([scope]) })).status;
    expect([
      await ask('analysis:review'),
      await ask('analysis:read'),
      await ask('analysis:write'),
      await ask('images:write'),
    ]).toEqual([403, 200, 200, 200]);
  });

  test('says what is wrong with a resource, and refuses nothing for it', async () => {
    const bad = await call('POST', 'Patient/$validate', { json: { ...PATIENT, gender: 'f' } });
    expect(bad).toMatchObject({
      status: 200,
      body: {
        resourceType: 'OperationOutcome',
        issue: [{ severity: 'error', code: 'code-invalid', expression: ['Patient.gender'] }],
      },
    });
    expect(
      firstIssue((await call('POST', 'Patient/$validate', { json: { resourceType: 'Encounter' } })).body).code,
    ).toBe('invalid');
    expect(firstIssue((await call('POST', 'Patient/$validate', { json: PATIENT })).body)).toMatchObject({
      severity: 'information',
    });
  });

  test('takes a resource as a parameter, with a profile and a mode', async () => {
    const ask = (parameter: object[]) =>
      call('POST', 'BodyStructure/$validate', { json: { resourceType: 'Parameters', parameter } });
    const resource = { resourceType: 'BodyStructure', patient: { display: 'x' } };
    expect(firstIssue((await ask([{ name: 'resource', resource }])).body)).toMatchObject({ severity: 'information' });
    const profiled = await ask([
      { name: 'resource', resource },
      { name: 'profile', valueUri: 'https://sutura.dev/fhir/StructureDefinition/sutura-wound' },
    ]);
    expect(firstIssue(profiled.body)).toMatchObject({ severity: 'error', code: 'invariant' });
    expect(
      firstIssue(
        (
          await ask([
            { name: 'resource', resource },
            { name: 'mode', valueCode: 'delete' },
          ])
        ).body,
      ),
    ).toMatchObject({ severity: 'error', code: 'not-supported' });
    expect(
      firstIssue(
        (
          await ask([
            { name: 'resource', resource },
            { name: 'mode', valueCode: 'update' },
          ])
        ).body,
      ),
    ).toMatchObject({ severity: 'error', code: 'invalid' });
    expect(
      (
        await ask([
          { name: 'resource', resource },
          { name: 'mode', valueCode: 'other' },
        ])
      ).status,
    ).toBe(400);
    expect((await ask([])).status).toBe(400);
  });

  test('looks at what is kept', async () => {
    const { id } = await createPatient();
    expect(firstIssue((await call('GET', `Patient/${id}/$validate`)).body)).toMatchObject({ severity: 'information' });
    expect((await call('GET', 'Patient/nobody/$validate')).status).toBe(404);
  });
});
