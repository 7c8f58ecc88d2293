import 'reflect-metadata';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { UsersModule } from '../../../../src/composition/users.module.js';
import { PhotoCopyErasers } from '../../../../src/core/erasure/photo-copy-erasers.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { SCOPES, type Scope } from '../../../../src/core/tenancy/api-key.js';
import { TenancyService } from '../../../../src/core/organizations/tenancy.service.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { Hl7Module } from '../../../../src/composition/hl7v2.module.js';
import { InboundMapper } from '../../../../src/doors/hl7v2/mapping/inbound-mapper.js';
import { LISTENER_SETTINGS } from '../../../../src/doors/hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../../../../src/doors/hl7v2/inbox/listeners/listener.repository.js';
import { ClinicalRecords } from '../../../../src/standards/hl7v2/records/clinical-records.js';
import { IdentityModule } from '../../../../src/identity/identity.module.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { RecordsModule } from '../../../../src/records/records.module.js';
import { HttpAdapter } from '../../../../src/platform/http/http.adapter.js';
import { HttpModule } from '../../../../src/platform/http/http.module.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { PlatformModule } from '../../../../src/platform/platform.module.js';
import { TenancyModule } from '../../../../src/composition/tenancy.module.js';
import { eventually } from '../../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { MemoryStore } from '../../../support/memory-store.js';
import { messageOf, NOBODY_TO_ASK, outboxOver, readAck, ScriptedMapper, ScriptedRecords } from './inbox-ground.js';
import { TestSql } from './test-sql.js';

const ADMIN_TOKEN = 'an-admin-token-of-this-test';
const TYPE = 'application/hl7-v2; charset=utf-8';

let database: TestDatabase;
let sql: TestSql;
let app: NestFastifyApplication;
let records: ScriptedRecords;
let tenant: Tenant;
let key: string;

@Global()
@Module({ imports: [TenancyModule], exports: [TenancyModule] })
class GlobalTenancyModule {}

@Global()
@Module({})
class ClinicalRecordsModule {
  static register(value: ClinicalRecords): DynamicModule {
    return {
      module: ClinicalRecordsModule,
      providers: [{ provide: ClinicalRecords, useValue: value }, PhotoCopyErasers, ...NOBODY_TO_ASK],
      exports: [ClinicalRecords, PhotoCopyErasers, ...NOBODY_TO_ASK.map(({ provide }) => provide)],
    };
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await TestSql.open(database.url);
  const settings = readSettings({
    SUTURA_ROLES: 'api',
    SUTURA_ADMIN_TOKEN: ADMIN_TOKEN,
    HL7_MAX_BYTES: '65536',
    SUTURA_SWEEP_INTERVAL_MS: '200',
  });
  records = new ScriptedRecords(() => app.get(UnitOfWork, { strict: false }));
  const door = Hl7Module.register(settings, outboxOver(new MemoryStore()));
  const scripted = {
    ...door,
    providers: [
      ...(door.providers ?? []).filter((one) => one !== InboundMapper),
      { provide: InboundMapper, useClass: ScriptedMapper },
    ],
  };
  const imports = [
    PlatformModule.register(settings, Logger.create('silent')),
    RecordsModule.register(database.url),
    HttpModule,
    GlobalTenancyModule,
    UsersModule,
    IdentityModule,
    ClinicalRecordsModule.register(records),
    scripted,
  ];
  app = await NestFactory.create<NestFastifyApplication>(
    { module: class HttpGround {}, imports },
    new HttpAdapter(settings),
    { logger: false, abortOnError: false },
  );
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  const tenancy = app.get(TenancyService, { strict: false });
  tenant = { organizationId: (await tenancy.createOrganization('Clinic', 'enterprise')).id, environment: 'test' };
  key = await issueKey(SCOPES);
});

beforeEach(() => {
  records.applied.length = 0;
});

afterAll(async () => {
  await app?.close();
  await sql?.close();
  await database?.drop();
});

async function issueKey(scopes: readonly Scope[]): Promise<string> {
  return (await app.get(TenancyService, { strict: false }).createKey({ ...tenant, scopes, expiresAt: null })).text;
}

async function post(
  body: string,
  { url = '/hl7v2', type = TYPE, as = key }: { url?: string; type?: string; as?: string | null } = {},
) {
  const headers = {
    ...(type === '' ? {} : { 'content-type': type }),
    ...(as === null ? {} : { authorization: `Bearer ${as}` }),
  };
  const answer = await app.inject({ method: 'POST', url, headers, payload: body });
  return { status: answer.statusCode, type: answer.headers['content-type'], body: answer.body };
}

const codeOf = (body: string) => (JSON.parse(body) as { code: string }).code;

describe('POST /hl7v2', () => {
  it('asks for the key before it looks at the body', async () => {
    const refused = await post('no message at all', { as: null });
    expect([refused.status, codeOf(refused.body)]).toEqual([401, 'auth.missing']);
    expect((await post(messageOf(), { as: await issueKey(['images:write']) })).status).toBe(403);
    expect(await sql.rows('select from hl7_inbound')).toHaveLength(0);
  });

  it('takes the key as the password of Basic authentication, and tells who asks without one', async () => {
    const asBasic = (pair: string) =>
      app.inject({
        method: 'POST',
        url: '/hl7v2',
        headers: { 'content-type': TYPE, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
        payload: messageOf(),
      });
    const wrong = await asBasic('engine:sut_test_wrong');
    expect([wrong.statusCode, codeOf(wrong.body)]).toEqual([401, 'auth.invalid']);
    const missing = await app.inject({ method: 'POST', url: '/hl7v2', payload: messageOf() });
    for (const { headers } of [wrong, missing])
      expect(headers['www-authenticate']).toBe('Bearer, Basic realm="sutura", charset="UTF-8"');
    const narrow = await asBasic(`engine:${await issueKey(['images:write'])}`);
    expect([narrow.statusCode, codeOf(narrow.body)]).toEqual([403, 'auth.scope']);
    expect(await sql.rows('select from hl7_inbound')).toHaveLength(0);
    expect((await asBasic(`engine:${key}`)).statusCode).toBe(200);
    expect((await asBasic(`:${key}`)).statusCode).toBe(200);
  });

  it.each(['cross-site', 'same-site'])(
    'takes no key that a browser adds by itself to the form of a page elsewhere, nor asks for one: %s',
    async (site) => {
      const form = await app.inject({
        method: 'POST',
        url: '/hl7v2',
        headers: {
          'content-type': 'text/plain',
          'sec-fetch-site': site,
          authorization: `Basic ${Buffer.from(`engine:${key}`).toString('base64')}`,
        },
        payload: messageOf(),
      });
      expect([form.statusCode, form.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    },
  );

  it('refuses other media types, what is too large, and what is no message', async () => {
    expect((await post(messageOf(), { type: 'application/json' })).status).toBe(415);
    expect((await post(messageOf({ segments: [`PID|${'9'.repeat(70_000)}`] }))).status).toBe(413);
    const unreadable = await post('hello');
    expect([unreadable.status, codeOf(unreadable.body)]).toEqual([400, 'hl7.unreadable']);
  });

  it.each([
    ['AA', {}, 200],
    ['AR', { type: 'ZZZ^Z01' }, 400],
    ['AE', { controlId: '' }, 500],
    ['CA', { accept: 'AL' }, 200],
    ['CR', { accept: 'AL', type: 'ZZZ^Z01' }, 400],
    ['CE', { accept: 'AL', segments: ['OBR|1'] }, 500],
  ])('answers %s by its status, or 200 where the sender wants that always', async (code, wish, status) => {
    const answer = await post(messageOf(wish));
    expect([readAck(answer.body).code, answer.status, answer.type]).toEqual([
      code,
      status,
      'application/hl7-v2; charset=utf-8',
    ]);
    expect((await post(messageOf(wish), { url: '/hl7v2?ackStatus=always200' })).status).toBe(200);
  });

  it.each(['application/hl7-v2+er7', 'x-application/hl7-v2+er7', 'text/plain', ''])(
    'takes %j and answers in the same type',
    async (type) => {
      const answer = await post(messageOf(), { type });
      expect([answer.status, answer.type]).toEqual([
        200,
        `${type === '' ? 'application/hl7-v2' : type}; charset=utf-8`,
      ]);
    },
  );

  it('answers 202 where nothing is to be said', async () => {
    expect(await post(messageOf({ accept: 'NE', application: 'NE' }))).toMatchObject({ status: 202, body: '' });
  });

  it('keeps a message once, under its key and address', async () => {
    const message = messageOf({ controlId: 'HTTP-1' });
    expect([(await post(message)).status, (await post(message)).status]).toEqual([200, 200]);
    const rows = await sql.rows<{ id: string; transport: string; key_id: string; address: string }>(
      `select id, transport, key_id, address from hl7_inbound where control_id = 'HTTP-1'`,
    );
    const applied = records.applied.filter(({ options }) => options.requestId === rows[0]?.id);
    expect(applied).toHaveLength(1);
    expect(rows).toEqual([
      expect.objectContaining({ transport: 'http', key_id: applied[0]?.caller.keyId, address: '127.0.0.1' }),
    ]);
  });

  it('reads messages as the tenant’s listener for HTTP says, and no other', async () => {
    const tenancy = app.get(TenancyService, { strict: false });
    const codes: string[] = [];
    for (const http of [true, false]) {
      const { id: organizationId } = await tenancy.createOrganization('Other', 'enterprise');
      const { text } = await tenancy.createKey({
        organizationId,
        environment: 'test',
        scopes: SCOPES,
        expiresAt: null,
      });
      await app
        .get(ListenerRepository, { strict: false })
        .create(
          { organizationId, environment: 'test' },
          'http',
          LISTENER_SETTINGS.parse({ port: null, http, processingIds: ['D'] }),
        );
      codes.push(readAck((await post(messageOf(), { as: text })).body).code);
    }
    expect(codes).toEqual(['AR', 'AA']);
  });

  it('answers a batch with a batch, one acknowledgment for each message', async () => {
    const messages = [messageOf({ controlId: 'B1' }), messageOf({ controlId: 'B2', type: 'ZZZ^Z01' })];
    const answer = await post(
      ['FHS|^~\\&', 'BHS|^~\\&', ''].join('\r') + messages.join('') + ['BTS|2', 'FTS|1', ''].join('\r'),
    );
    const segments = answer.body.split('\r').filter((segment) => segment !== '');
    expect(segments.map((segment) => segment.slice(0, 3)).filter((name) => name !== 'ERR')).toEqual([
      'BHS',
      'MSH',
      'MSA',
      'MSH',
      'MSA',
      'BTS',
    ]);
    expect(segments.filter((segment) => segment.startsWith('MSA')).map((segment) => segment.slice(0, 9))).toEqual([
      'MSA|AA|B1',
      'MSA|AR|B2',
    ]);
    expect([segments.at(-1), answer.status]).toEqual(['BTS|2', 400]);
  });

  it('adds AE 207 to a batch whose count differs; what arrived keeps its own acknowledgment', async () => {
    const answer = await post(`BHS|^~\\&\r${messageOf({ controlId: 'B3' })}BTS|2\r`);
    const segments = answer.body.split('\r');
    expect(
      segments
        .filter((segment) => segment.startsWith('MSA'))
        .map((segment) => segment.split('|').slice(0, 3).join('|')),
    ).toEqual(['MSA|AA|B3', 'MSA|AE|']);
    expect(answer.body).toContain('207^');
    expect(answer.status).toBe(500);
    expect(await sql.rows(`select from hl7_inbound where control_id = 'B3' and state = 'processed'`)).toHaveLength(1);
  });
});

describe('the admin API', () => {
  const admin = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    app.inject({
      method,
      url: `/admin/v1/hl7${url}`,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });

  it('refuses settings that do not fit, and names that are taken', async () => {
    const wish = { ...tenant, name: 'ward', settings: { port: 0 } };
    expect(
      (await admin('POST', '/listeners', { ...wish, settings: { port: 0, timeZone: 'Mars/Olympus' } })).statusCode,
    ).toBe(400);
    expect((await admin('POST', '/destinations', { ...wish, settings: { port: 1 } })).statusCode).toBe(400);
    expect((await admin('POST', '/listeners', wish)).statusCode).toBe(201);
    expect((await admin('POST', '/listeners', wish)).json()).toMatchObject({ code: 'hl7.name_taken' });
    expect((await admin('DELETE', '/listeners/nothing')).statusCode).toBe(404);
    expect((await admin('GET', '/messages?state=eaten')).statusCode).toBe(400);
    expect((await admin('GET', '/messages/01997f2e-5555-7000-8000-000000000005')).json()).toMatchObject({
      code: 'hl7.message_not_found',
    });
  });

  it('makes, lists and deletes listeners and destinations', async () => {
    const made = (
      await admin('POST', '/destinations', {
        ...tenant,
        name: 'ehr',
        settings: { host: 'ehr.example.org', port: 2580 },
      })
    ).json<{ destinationId: string }>();
    expect(
      (await admin('GET', `/destinations?organizationId=${tenant.organizationId}`)).json<{ items: unknown[] }>().items,
    ).toHaveLength(1);
    expect((await admin('DELETE', `/destinations/${made.destinationId}`)).statusCode).toBe(200);
    expect((await admin('GET', '/destinations')).json()).toEqual({ items: [] });
    const { items } = (await admin('GET', '/listeners')).json<{ items: { listenerId: string }[] }>();
    for (const { listenerId } of items)
      expect((await admin('DELETE', `/listeners/${listenerId}`)).statusCode).toBe(204);
  });

  it('shows a message as it came, writes that down, and processes it once more', async () => {
    const message = messageOf({ controlId: 'SHOW-1' });
    await post(message);
    const { items } = (await admin('GET', '/messages?controlId=SHOW-1')).json<{
      items: { messageId: string; state: string }[];
    }>();
    expect(items).toEqual([expect.objectContaining({ state: 'processed', direction: 'in' })]);
    const { messageId } = items[0]!;
    expect((await admin('GET', `/messages/${messageId}`)).json()).toMatchObject({
      message,
      ack: expect.stringContaining('MSA|AA|SHOW-1') as string,
    });
    const seen = await sql.rows(`select door, key_id, interaction, address from audit_events where resources = $1`, [
      [`MessageHeader/${messageId}`],
    ]);
    expect(seen).toEqual([{ door: 'admin', key_id: 'operator', interaction: 'read', address: '127.0.0.1' }]);
    expect((await admin('POST', `/messages/${messageId}/replay`)).statusCode).toBe(204);
    await eventually('it is processed once more', () => records.applied.length === 2);
    expect((await admin('POST', `/messages/${messageId}/requeue`)).json()).toMatchObject({ code: 'hl7.not_parked' });
  });

  it('tells what a message would do, and stores nothing', async () => {
    const { listenerId } = (
      await admin('POST', '/listeners', { ...tenant, name: 'trial', settings: { port: 0 } })
    ).json<{ listenerId: string }>();
    const before = await sql.rows('select from hl7_inbound');
    const trial = await admin('POST', '/dry-run', { listenerId, message: messageOf() });
    expect(trial.json()).toMatchObject({
      acknowledgment: 'AA',
      kind: 'results',
      mode: 'original',
      bundle: { resourceType: 'Bundle' },
    });
    const refused = await admin('POST', '/dry-run', { listenerId, message: messageOf({ processingId: 'P' }) });
    expect(refused.json()).toMatchObject({
      acknowledgment: 'AR',
      bundle: null,
      problems: [expect.objectContaining({ condition: '202' })],
    });
    expect((await admin('POST', '/dry-run', { listenerId, message: 'hello' })).json()).toMatchObject({
      code: 'hl7.unreadable',
    });
    expect(await sql.rows('select from hl7_inbound')).toHaveLength(before.length);
    expect(records.applied).toHaveLength(0);
  });
});
