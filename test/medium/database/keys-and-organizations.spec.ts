import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { OrganizationRepository } from '../../../src/core/organizations/organization.repository.js';
import { ApiKeyRepository } from '../../../src/core/organizations/api-key.repository.js';
import { UnitOfWork, type Transaction } from '../../../src/core/ports/unit-of-work.js';
import { SCOPES, type ApiKeyRecord } from '../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { KEYS_CHANGED_CHANNEL, NotificationListener } from '../../../src/platform/database/notification-listener.js';
import { DatabaseContext } from '../../support/database-context.js';
import { untilListening } from '../../support/until-listening.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('keys and organizations', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let keys: ApiKeyRepository;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    keys = context.get(ApiKeyRepository);
  });

  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const inSystem = <T>(work: (transaction: Transaction) => Promise<T>) => context.get(UnitOfWork).inSystem(work);

  async function createKey(changes: Partial<ApiKeyRecord> = {}): Promise<{ record: ApiKeyRecord; sha256: Buffer }> {
    const record: ApiKeyRecord = {
      ...tenant,
      id: v7(),
      prefix: 'sut_test_abc',
      lastFour: 'wxyz',
      scopes: ['images:write', 'analysis:read'],
      createdAt: new Date(),
      expiresAt: null,
      revokedAt: null,
      replacedBy: null,
      lastUsedAt: null,
      allowedNetworks: [],
      namesPersons: false,
      ...changes,
    };
    const sha256 = randomBytes(32);
    await inSystem((transaction) => keys.insert(transaction, record, sha256));
    return { record, sha256 };
  }

  it('has a place for each scope in a key', async () => {
    const { sha256 } = await createKey({ scopes: SCOPES });
    expect((await keys.findByDigest(sha256))?.scopes).toEqual(SCOPES);
  });

  it('finds no key by an unknown digest', async () => {
    expect(await keys.findByDigest(randomBytes(32))).toBeNull();
  });

  it('finds a key by its digest as it was written', async () => {
    const { record, sha256 } = await createKey({ expiresAt: new Date('2030-01-01T00:00:00Z') });
    expect(await keys.findByDigest(sha256)).toEqual(record);
    expect(await inSystem((transaction) => keys.find(transaction, record.id))).toEqual(record);
    expect(await inSystem((transaction) => keys.list(transaction, tenant.organizationId))).toEqual([record]);
  });

  it('counts neither revoked, expired nor replaced keys as active', async () => {
    const active = await createKey({ environment: 'live' });
    await createKey({ expiresAt: new Date(Date.now() + 60_000) });
    await createKey({ expiresAt: new Date(Date.now() - 1000) });
    await createKey({ revokedAt: new Date() });
    await createKey({ replacedBy: active.record.id });
    expect(await inSystem((transaction) => keys.countActive(transaction, tenant.organizationId))).toBe(2);
  });

  it('tells every instance of a revocation and of a replacement', async () => {
    const other = await DatabaseContext.open(database.url);
    const heard: string[] = [];
    let both: () => void = () => undefined;
    const heardBoth = new Promise<void>((resolve) => (both = resolve));
    other.get(NotificationListener).on(KEYS_CHANGED_CHANNEL, (keyId) => {
      if (heard.push(keyId) === 2) both();
    });
    const first = await createKey();
    const second = await createKey();
    await untilListening(other.get(NotificationListener), KEYS_CHANGED_CHANNEL);
    await inSystem((transaction) => keys.revoke(transaction, first.record.id));
    const expiresAt = new Date(Date.now() + 60_000);
    await inSystem((transaction) => keys.replace(transaction, second.record.id, first.record.id, expiresAt));
    await heardBoth;
    await other.close();
    expect(heard).toEqual([first.record.id, second.record.id]);
    expect((await keys.findByDigest(first.sha256))?.revokedAt).toBeInstanceOf(Date);
    expect(await keys.findByDigest(second.sha256)).toMatchObject({ replacedBy: first.record.id, expiresAt });
  });

  it('keeps the time of the first revocation', async () => {
    const { record, sha256 } = await createKey();
    await inSystem((transaction) => keys.revoke(transaction, record.id));
    const first = (await keys.findByDigest(sha256))?.revokedAt;
    await inSystem((transaction) => keys.revoke(transaction, record.id));
    expect((await keys.findByDigest(sha256))?.revokedAt).toEqual(first);
  });

  it('notes the use of a key at most once a minute', async () => {
    const { record, sha256 } = await createKey();
    await keys.touch(record.id);
    const first = (await keys.findByDigest(sha256))?.lastUsedAt;
    await keys.touch(record.id);
    expect(first).toBeInstanceOf(Date);
    expect((await keys.findByDigest(sha256))?.lastUsedAt).toEqual(first);
  });

  it('changes only what is named, and takes a raised limit away again', async () => {
    const organizations = context.get(OrganizationRepository);
    const change = (fields: Parameters<OrganizationRepository['update']>[2]) =>
      inSystem(async (transaction) => {
        await organizations.update(transaction, tenant.organizationId, fields);
        return organizations.find(transaction, tenant.organizationId);
      });
    expect(await change({ dailyLimitOverride: 7, plan: 'enterprise' })).toMatchObject({
      plan: 'enterprise',
      dailyLimitOverride: 7,
      resultPolicy: 'review',
    });
    expect(await change({ autoAnalyze: true, imageHosts: ['images.example', 'pacs.example:8443'] })).toMatchObject({
      autoAnalyze: true,
      imageHosts: ['images.example', 'pacs.example:8443'],
    });
    expect(await change({ dailyLimitOverride: null, resultPolicy: 'auto-final' })).toMatchObject({
      plan: 'enterprise',
      dailyLimitOverride: null,
      resultPolicy: 'auto-final',
    });
    expect(await change({ timeZone: 'Europe/Berlin' })).toMatchObject({ timeZone: 'Europe/Berlin' });
    expect(await change({ timeZone: null })).toMatchObject({ timeZone: null });
    expect(await change({})).toMatchObject({ name: 'Clinic' });
  });
});
