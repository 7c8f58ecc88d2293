import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TenancyService, type IssuedKey } from '../../../src/core/organizations/tenancy.service.js';
import type { Plan } from '../../../src/core/organizations/organization.js';
import type { Environment } from '../../../src/core/tenancy/tenant.js';
import { KeyAuthenticator } from '../../../src/identity/index.js';
import { NotificationListener } from '../../../src/platform/database/notification-listener.js';
import { eventually } from '../../support/eventually.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { startInstance } from './identity-ground.js';

let database: TestDatabase;
let instance: NestFastifyApplication;
let other: NestFastifyApplication;
let tenancy: TenancyService;

beforeAll(async () => {
  database = await createTestDatabase();
  [instance, other] = await Promise.all([startInstance(database.url), startInstance(database.url)]);
  tenancy = instance.get(TenancyService);
});

afterAll(async () => {
  await Promise.all([instance.close(), other.close()]);
  await database.drop();
});

const organizationOf = async (plan: Plan): Promise<string> => (await tenancy.createOrganization('Clinic', plan)).id;
const createKey = (organizationId: string, environment: Environment = 'test'): Promise<IssuedKey> =>
  tenancy.createKey({ organizationId, environment, scopes: ['analysis:read'], expiresAt: null });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );
const answerOf = (app: NestFastifyApplication, text: string): Promise<string> =>
  codeOf(app.get(KeyAuthenticator).authenticate(text, '127.0.0.1'));

describe('a key is not made', () => {
  test('for an unknown or malformed organization', async () => {
    for (const id of [randomUUID(), 'nonsense', '']) expect(await codeOf(createKey(id))).toBe('organization.not_found');
  });

  test('for live use of a free organization', async () => {
    expect(await codeOf(createKey(await organizationOf('free'), 'live'))).toBe('key.live_not_allowed');
  });

  test.each([
    ['free', 1, ['test']],
    ['pro', 5, ['test', 'live']],
    ['enterprise', 10, ['live', 'test']],
  ] as const)('beyond what %s allows: %i keys of both environments together', async (plan, allowed, environments) => {
    const organizationId = await organizationOf(plan);
    for (let made = 0; made < allowed; made += 1)
      await createKey(organizationId, environments[made % environments.length]);
    for (const environment of environments)
      expect(await codeOf(createKey(organizationId, environment))).toBe('key.limit');
  });

  test('beyond the plan by asking many times at once', async () => {
    const organizationId = await organizationOf('pro');
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(createKey(organizationId))));
    expect(codes.filter((code) => code === 'done')).toHaveLength(5);
    expect(await tenancy.listKeys(organizationId)).toHaveLength(5);
  });
});

test('revoked, expired and replaced keys do not count against the plan', async () => {
  const organizationId = await organizationOf('pro');
  const keys = [];
  for (let made = 0; made < 5; made += 1) keys.push(await createKey(organizationId));
  const [revoked, expired, replaced] = keys as [IssuedKey, IssuedKey, IssuedKey];
  await tenancy.revokeKey(revoked.record.id);
  await queryDatabase(database.url, `update api_keys set expires_at = now() - interval '1 s' where id = $1`, [
    expired.record.id,
  ]);
  await tenancy.rotateKey(replaced.record.id, 3600);
  expect(await codeOf(createKey(organizationId))).toBe('done');
  expect(await codeOf(createKey(organizationId))).toBe('done');
  expect(await codeOf(createKey(organizationId))).toBe('key.limit');
});

test('an organization over its plan after a downgrade keeps its keys and gets no more', async () => {
  const organizationId = await organizationOf('pro');
  const { text } = await createKey(organizationId, 'live');
  await tenancy.changeOrganization(organizationId, { plan: 'free' });
  expect([await answerOf(instance, text), await codeOf(createKey(organizationId))]).toEqual(['done', 'key.limit']);
});

describe('rotation', () => {
  test('is refused for keys that are unknown, revoked, replaced or expired', async () => {
    const organizationId = await organizationOf('enterprise');
    const [revoked, replaced, expired] = [
      await createKey(organizationId),
      await createKey(organizationId),
      await createKey(organizationId),
    ];
    await tenancy.revokeKey(revoked.record.id);
    await tenancy.rotateKey(replaced.record.id, 60);
    await queryDatabase(database.url, `update api_keys set expires_at = now() - interval '1 s' where id = $1`, [
      expired.record.id,
    ]);
    for (const id of [randomUUID(), 'nonsense', revoked.record.id, replaced.record.id, expired.record.id]) {
      expect(await codeOf(tenancy.rotateKey(id, 60))).toBe('key.not_found');
    }
  });

  test('lets both keys work for the overlap, and only the new one after it', async () => {
    const old = await createKey(await organizationOf('free'));
    const fresh = await tenancy.rotateKey(old.record.id, 3600);
    expect(fresh.record).toMatchObject({
      environment: 'test',
      scopes: ['analysis:read'],
      organizationId: old.record.organizationId,
    });
    expect(
      await Promise.all([old, fresh].flatMap(({ text }) => [answerOf(instance, text), answerOf(other, text)])),
    ).toEqual(['done', 'done', 'done', 'done']);
    const [row] = await queryDatabase<{ expires_at: Date; replaced_by: string }>(
      database.url,
      'select expires_at, replaced_by from api_keys where id = $1',
      [old.record.id],
    );
    expect(row?.replaced_by).toBe(fresh.record.id);
    const overlapMs = row!.expires_at.getTime() - fresh.record.createdAt.getTime();
    expect(Math.abs(overlapMs - 3_600_000)).toBeLessThan(10_000);
  });

  test('without an overlap ends the old key at once, everywhere', async () => {
    const old = await createKey(await organizationOf('pro'));
    expect(await Promise.all([answerOf(instance, old.text), answerOf(other, old.text)])).toEqual(['done', 'done']);
    await tenancy.rotateKey(old.record.id, 0);
    for (const app of [instance, other])
      await eventually('the old key ended', async () => (await answerOf(app, old.text)) === 'auth.expired', 5000);
  });
});

describe('revocation', () => {
  test('of an unknown key is refused, and twice is no error', async () => {
    expect(await codeOf(tenancy.revokeKey(randomUUID()))).toBe('key.not_found');
    const { record } = await createKey(await organizationOf('pro'));
    await tenancy.revokeKey(record.id);
    const [first] = await tenancy.listKeys(record.organizationId);
    await tenancy.revokeKey(record.id);
    expect((await tenancy.listKeys(record.organizationId))[0]?.revokedAt).toEqual(first?.revokedAt);
  });

  test('works in the process that it was asked of before it answers, even where no notification comes', async () => {
    const deaf = await startInstance(database.url);
    await deaf.get(NotificationListener).close();
    const { text, record } = await createKey(await organizationOf('pro'));
    expect(await answerOf(deaf, text)).toBe('done');
    await deaf.get(TenancyService).revokeKey(record.id);
    expect(await answerOf(deaf, text)).toBe('auth.revoked');
    await deaf.close();
  });

  test('works within 5 seconds in every instance, while both are in use', async () => {
    const { text, record } = await createKey(await organizationOf('pro'));
    expect(await Promise.all([answerOf(instance, text), answerOf(other, text)])).toEqual(['done', 'done']);
    const startedMs = performance.now();
    await tenancy.revokeKey(record.id);
    for (const app of [instance, other])
      await eventually('the key is refused', async () => (await answerOf(app, text)) === 'auth.revoked', 5000, 10);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });
});

test('the use of a key is noted', async () => {
  const { text, record } = await createKey(await organizationOf('pro'));
  await answerOf(instance, text);
  await eventually(
    'the use is noted',
    async () => (await tenancy.listKeys(record.organizationId))[0]?.lastUsedAt !== null,
  );
});

test('no key text is kept, only its digest', async () => {
  const { text } = await createKey(await organizationOf('pro'));
  const rows = await queryDatabase<{ row: string }>(
    database.url,
    'select to_jsonb(api_keys)::text as row from api_keys',
  );
  expect(rows.some(({ row }) => row.includes(text) || row.includes(text.slice(12, -4)))).toBe(false);
});
