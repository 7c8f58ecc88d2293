import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Patient } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { SCOPES } from '../../../core/tenancy/api-key.js';
import {
  callDoor,
  firstIssue,
  issueKey,
  search,
  startDoor,
  trail,
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

describe('a resource', () => {
  test('is created under an id of the server’s, and read with its validators', async () => {
    const created = await call('POST', 'Patient', {
      json: {
        ...PATIENT,
        id: 'mine',
        meta: { versionId: '9', lastUpdated: '2020-01-01T00:00:00Z', tag: [{ code: 'kept' }] },
      },
    });
    const { id, meta } = created.body as unknown as Patient;
    expect(created.status).toBe(201);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(meta).toEqual({ versionId: '1', lastUpdated: expect.stringContaining('2026-'), tag: [{ code: 'kept' }] });
    expect(created.headers).toMatchObject({
      location: `https://wounds.example/fhir/Patient/${id}/_history/1`,
      etag: 'W/"1"',
      'last-modified': new Date(meta!.lastUpdated!).toUTCString(),
    });
    const read = await call('GET', `R4/Patient/${id}`);
    expect(read).toMatchObject({
      status: 200,
      headers: {
        etag: 'W/"1"',
        'content-type': 'application/fhir+json; charset=utf-8',
        'cache-control': 'private, no-store',
      },
    });
    expect(read.body).toEqual(created.body);
    expect(await call('HEAD', `Patient/${id}`)).toMatchObject({ status: 200, headers: { etag: 'W/"1"' } });
  });

  test('is not sent again to who has it', async () => {
    const { id, meta } = await createPatient();
    const modified = new Date(meta!.lastUpdated!).toUTCString();
    for (const headers of <Record<string, string>[]>[
      { 'if-none-match': 'W/"1"' },
      { 'if-none-match': '"7", "1"' },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified },
    ]) {
      const answer = await call('GET', `Patient/${id}`, { headers });
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', 'W/"1"']);
    }
    const stale = new Date(new Date(meta!.lastUpdated!).getTime() - 1000).toUTCString();
    for (const headers of <Record<string, string>[]>[
      { 'if-none-match': 'W/"2"' },
      { 'if-modified-since': stale },
      { 'if-none-match': 'W/"2"', 'if-modified-since': modified },
      { 'if-modified-since': 'yesterday' },
    ]) {
      expect((await call('GET', `Patient/${id}`, { headers })).status).toBe(200);
    }
  });

  test('is changed from its present version only', async () => {
    const patient = await createPatient();
    const put = (body: object, headers: Record<string, string> = {}) =>
      call('PUT', `Patient/${patient.id}`, { json: body, headers });
    expect((await put({ ...patient, id: 'other' })).status).toBe(400);
    expect(firstIssue((await put({ ...patient, id: undefined })).body).details?.coding?.[0]?.code).toBe(
      'fhir-id-mismatch',
    );
    const stale = await put(patient, { 'if-match': 'W/"7"' });
    expect([stale.status, firstIssue(stale.body).code]).toEqual([412, 'conflict']);
    const changed = await put({ ...patient, active: true }, { 'if-match': 'W/"1"' });
    expect(changed).toMatchObject({
      status: 200,
      headers: { etag: 'W/"2"', 'content-location': `https://wounds.example/fhir/Patient/${patient.id}/_history/2` },
      body: { active: true, meta: { versionId: '2' } },
    });
    expect((await call('GET', `Patient/${patient.id}/_history/1`)).body).toEqual(patient);
    expect((await put({ ...patient, active: false }, { 'if-match': 'W/"1"' })).status).toBe(412);
    expect((await put({ ...patient, active: false })).status).toBe(200);
  });

  test('is changed without If-Match only where that is allowed', async () => {
    const patient = await createPatient();
    const strict = await startDoor({ FHIR_REQUIRE_IF_MATCH: 'true' });
    try {
      const bare = await call('PUT', `Patient/${patient.id}`, { json: patient }, strict);
      expect([bare.status, firstIssue(bare.body).code]).toEqual([412, 'conflict']);
      expect(
        (await call('PUT', `Patient/${patient.id}`, { json: patient, headers: { 'if-match': 'W/"1"' } }, strict))
          .status,
      ).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('is patched as a whole or not at all', async () => {
    const { id } = await createPatient();
    const patch = (operations: unknown) =>
      call('PATCH', `Patient/${id}`, {
        payload: JSON.stringify(operations),
        headers: { 'content-type': 'application/json-patch+json' },
      });
    const rows: [unknown, number, string][] = [
      [{}, 400, 'fhir-patch'],
      [[], 400, 'fhir-patch'],
      [[{ op: 'set', path: '/active', value: true }], 400, 'fhir-patch'],
      [[{ op: 'replace', path: '/none/0/x', value: 1 }], 400, 'fhir-patch'],
      [[{ op: 'replace', path: '', value: {} }], 400, 'fhir-patch'],
      [[{ op: 'add', path: '/__proto__/polluted', value: true }], 400, 'fhir-patch'],
      [[{ op: 'replace', path: '/id', value: 'x' }], 400, 'fhir-patch'],
      [
        [
          { op: 'add', path: '/active', value: true },
          { op: 'test', path: '/gender', value: 'male' },
        ],
        422,
        'fhir-patch-test',
      ],
      [[{ op: 'add', path: '/colour', value: 'red' }], 400, 'fhir-structure'],
    ];
    for (const [operations, status, code] of rows) {
      const answer = await patch(operations);
      expect([answer.status, firstIssue(answer.body).details?.coding?.[0]?.code]).toEqual([status, code]);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const answer = await patch([
      { op: 'test', path: '/gender', value: 'female' },
      { op: 'replace', path: '/gender', value: 'other' },
      { op: 'add', path: '/name/0/given/-', value: 'Maria' },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      headers: { etag: 'W/"2"' },
      body: { gender: 'other', name: [{ given: ['Erika', 'Maria'] }] },
    });
  });

  test('is patched by what is to change of it', async () => {
    const { id } = await createPatient();
    const merge = (patch: unknown, headers: Record<string, string> = {}) =>
      call('PATCH', `Patient/${id}`, {
        payload: JSON.stringify(patch),
        headers: { 'content-type': 'application/merge-patch+json', ...headers },
      });
    const rows: [unknown, number, string][] = [
      [[], 400, 'fhir-patch'],
      ['text', 400, 'fhir-patch'],
      [{ id: 'x' }, 400, 'fhir-patch'],
      [{ resourceType: null }, 400, 'fhir-patch'],
      [{ colour: 'red' }, 400, 'fhir-structure'],
      [{ gender: 'unknowable' }, 400, 'fhir-structure'],
      [{ name: Array.from({ length: 9_000 }, () => ({ text: 'x' })) }, 413, 'request-too-large'],
    ];
    for (const [patch, status, code] of rows) {
      const answer = await merge(patch);
      expect([answer.status, firstIssue(answer.body).details?.coding?.[0]?.code]).toEqual([status, code]);
    }
    expect((await merge({ active: true }, { 'if-match': 'W/"7"' })).status).toBe(412);
    const changed = await merge(
      { gender: null, active: true, maritalStatus: { text: 'widowed', coding: null } },
      { 'if-match': 'W/"1"' },
    );
    expect(changed).toMatchObject({
      status: 200,
      headers: { etag: 'W/"2"' },
      body: { active: true, maritalStatus: { text: 'widowed' }, name: [{ family: 'Mustermann' }] },
    });
    expect([changed.body['gender'], changed.body['maritalStatus'].coding]).toEqual([undefined, undefined]);
    // As plain JSON it is told by its form.
    const plain = (body: unknown) =>
      call('PATCH', `Patient/${id}`, {
        payload: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    expect(await plain({ gender: 'male' })).toMatchObject({
      status: 200,
      body: { gender: 'male', active: true, meta: { versionId: '3' } },
    });
    expect(await plain([{ op: 'replace', path: '/gender', value: 'other' }])).toMatchObject({
      status: 200,
      body: { gender: 'other' },
    });
  });

  test('has a history, newest first, page by page', async () => {
    const patient = await createPatient();
    for (const active of [true, false]) await call('PUT', `Patient/${patient.id}`, { json: { ...patient, active } });
    const first = await call('GET', `Patient/${patient.id}/_history?_count=2`);
    const bundle = first.body as unknown as {
      total: number;
      link: { relation: string; url: string }[];
      entry: { fullUrl: string; request: object; response: object }[];
    };
    expect(bundle).toMatchObject({
      type: 'history',
      total: 3,
      entry: [
        { response: { etag: 'W/"3"', status: '200' } },
        { request: { method: 'PUT', url: `Patient/${patient.id}` } },
      ],
    });
    const next = bundle.link.find(({ relation }) => relation === 'next')!.url;
    const second = await call('GET', next.replace('https://wounds.example', ''));
    expect(second.body).toMatchObject({
      entry: [
        {
          fullUrl: `https://wounds.example/fhir/Patient/${patient.id}`,
          request: { method: 'POST', url: 'Patient' },
          response: { status: '201' },
        },
      ],
    });
    expect((second.body['link'] as { relation: string }[]).map(({ relation }) => relation)).toEqual(['self']);
  });

  test('stands in the history of its type, and of all types, which leave their line in the audit trail', async () => {
    const patient = await createPatient();
    for (const [path, interaction] of [
      ['Patient/_history', 'history-type'],
      ['_history', 'history-system'],
    ] as const) {
      const answer = await call('GET', `${path}?_count=1`);
      expect(answer).toMatchObject({
        status: 200,
        body: {
          type: 'history',
          link: [{ relation: 'self', url: `https://wounds.example/fhir/${path}?_count=1` }],
          entry: [{ fullUrl: `https://wounds.example/fhir/Patient/${patient.id}` }],
        },
      });
      expect(trail.accesses.at(-1)).toEqual({
        door: 'fhir',
        interaction,
        action: 'R',
        patients: [patient.id],
        resources: [],
        query: `${path}?_count=1`,
      });
    }
    expect(await call('POST', 'Patient/_history')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('has no list of entries where nothing has changed since', async () => {
    const { id } = await createPatient();
    const answer = await call('GET', `Patient/${id}/_history?_since=2131-01-01`);
    expect([answer.status, answer.body['type'], 'entry' in answer.body]).toEqual([200, 'history', false]);
  });

  test('is answered in the form that was preferred', async () => {
    const minimal = await call('POST', 'Patient', { json: PATIENT, headers: { prefer: 'return=minimal' } });
    expect([minimal.status, minimal.text, minimal.headers.etag]).toEqual([201, '', 'W/"1"']);
    expect(minimal.headers.location).toMatch(/^https:\/\/wounds\.example\/fhir\/Patient\//);
    const outcome = await call('POST', 'Patient', { json: PATIENT, headers: { prefer: 'return=OperationOutcome' } });
    expect(outcome.body).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ severity: 'information' }] });
    const pretty = await call('POST', 'Patient?_pretty=true', {
      json: PATIENT,
      headers: { prefer: 'return=representation' },
    });
    expect(pretty.text).toContain('\n  "resourceType": "Patient"');
  });

  test('is created once under the same criteria', async () => {
    const value = `once-${v7()}`;
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
    const json = {
      resourceType: 'Encounter',
      status: 'finished',
      class: { code: 'AMB' },
      subject: { reference: `https://wounds.example/fhir/R4/Patient/${id}` },
      serviceProvider: { reference: 'https://other.example/fhir/Organization/1' },
    };
    const { body } = await call('POST', 'Encounter', { json });
    expect(body).toMatchObject({
      subject: { reference: `Patient/${id}` },
      serviceProvider: { reference: 'https://other.example/fhir/Organization/1' },
    });
  });

  test('of another organization is not there, for any interaction', async () => {
    const { id } = await createPatient();
    const key = issueKey(SCOPES, 'organization-2');
    const answers = [
      await call('GET', `Patient/${id}`, { key }),
      await call('GET', `Patient/${id}/_history`, { key }),
      await call('GET', `Patient/${id}/_history/1`, { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await call('DELETE', `Patient/${id}`, { key })).status).toBe(404);
    expect(
      (
        await call('POST', 'Encounter', {
          key,
          json: {
            resourceType: 'Encounter',
            status: 'finished',
            class: { code: 'AMB' },
            subject: { reference: `Patient/${id}` },
          },
        })
      ).status,
    ).toBe(400);
  });

  test('of another key is hidden from keys that only write', async () => {
    const { id } = await createPatient();
    const key = issueKey(['images:write']);
    expect((await call('GET', `Patient/${id}`, { key })).status).toBe(404);
    const own = await call('POST', 'Patient', { key, json: PATIENT });
    expect((await call('GET', `Patient/${String(own.body['id'])}`, { key })).status).toBe(200);
    await call('GET', 'Patient', { key });
    expect(search.asked.at(-1)).toMatchObject({ options: { visible: 'own' } });
  });

  test('of another key is neither changed nor probed by keys that only write', async () => {
    const { id } = await createPatient();
    const key = issueKey(['images:write']);
    expect((await call('PUT', `Patient/${id}`, { key, json: { ...PATIENT, id } })).status).toBe(405);
    expect((await call('DELETE', `Patient/${id}`, { key })).status).toBe(404);
    for (const value of ['Mustermann', 'Beispiel']) {
      const patch = [{ op: 'test', path: '/name/0/family', value }];
      expect(
        (
          await call('PATCH', `Patient/${id}`, {
            key,
            payload: JSON.stringify(patch),
            headers: { 'content-type': 'application/json-patch+json' },
          })
        ).status,
      ).toBe(404);
    }
    expect((await call('GET', `Patient/${id}`)).headers.etag).toBe('W/"1"');
    const own = (await call('POST', 'Patient', { key, json: PATIENT })).body as Patient;
    expect(
      (await call('PUT', `Patient/${own.id}`, { key, json: { ...PATIENT, id: own.id, gender: 'other' } })).status,
    ).toBe(200);
  });

  test('is matched by keys that only write by what it is known by, and by nothing that stands in it', async () => {
    const key = issueKey(['images:write']);
    const create = (criteria: string, by = key, json: object = PATIENT) =>
      call('POST', 'Patient', { key: by, json, headers: { 'if-none-exist': criteria } });
    for (const criteria of ['family=Mustermann', 'identifier=urn:oid:1.2.3|W-12&birthdate=1950-03-01', '_id=1']) {
      expect([criteria, (await create(criteria)).status]).toEqual([criteria, 403]);
    }
    expect((await create('identifier:not=urn:oid:1.2.3|W-12')).status).toBe(400);
    const other = { ...PATIENT, identifier: [{ system: 'urn:oid:1.2.3', value: 'W-13' }] };
    expect((await create('identifier=urn:oid:1.2.3|W-13', key, other)).status).toBe(201);
    const single = { ...other, name: [{ family: 'Einzig' }] };
    expect((await create('family=Einzig', issueKey(['images:write', 'analysis:read']), single)).status).toBe(201);
  });

  test('is written into the audit trail', async () => {
    const { id } = await createPatient();
    await call('GET', `Patient/${id}`, { headers: { 'if-none-match': 'W/"1"' } });
    await call('GET', 'Patient?name=Mustermann');
    expect(trail.accesses.slice(-3)).toMatchObject([
      { interaction: 'create', action: 'C', patients: [id], resources: [`Patient/${id}`] },
      { interaction: 'read', action: 'R', resources: [`Patient/${id}`] },
      { interaction: 'search-type', query: 'name=Mustermann' },
    ]);
  });
});
