import { IdempotencyLedger, type IdempotencyKey } from '../../../src/core/idempotency/idempotency-ledger.js';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { UnitOfWork, type TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const KEY: IdempotencyKey = { route: 'POST /api/v1/analysis/jobs', key: 'order-1', bodySha256: 'aa' };
const ANSWER = { status: 201, headers: { location: '/api/v1/analysis/jobs/1' }, body: { id: '1', list: [1, null] } };

describe('the idempotency ledger', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ledger: IdempotencyLedger;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ledger = context.get(IdempotencyLedger);
  });

  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const inTenant = <T>(work: (transaction: TenantTransaction) => Promise<T>, of = tenant) =>
    context.get(UnitOfWork).inTenant(of, work);
  const begin = (of = tenant, key = KEY) => inTenant((transaction) => ledger.begin(transaction, key), of);
  const keep = () =>
    inTenant(async (transaction) => {
      await ledger.begin(transaction, KEY);
      await ledger.store(transaction, KEY, ANSWER);
    });

  it('answers in_flight while another transaction holds the key, without waiting for it', async () => {
    await inTenant(async (transaction) => {
      expect(await ledger.begin(transaction, KEY)).toEqual({ state: 'new' });
      expect(await begin()).toEqual({ state: 'in_flight' });
    });
  });

  it('keeps nothing of a transaction that failed', async () => {
    const failing = inTenant(async (transaction) => {
      await ledger.begin(transaction, KEY);
      await ledger.store(transaction, KEY, ANSWER);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await begin()).toEqual({ state: 'new' });
  });

  it('gives the stored answer back, with the digest of the body it belongs to', async () => {
    await keep();
    expect(await begin()).toEqual({ state: 'stored', bodySha256: 'aa', answer: ANSWER });
  });

  it('keeps keys of other routes, environments and organizations apart', async () => {
    await keep();
    expect(await begin(tenant, { ...KEY, route: 'POST /api/v1/images/upload-url' })).toEqual({ state: 'new' });
    expect(await begin({ ...tenant, environment: 'live' })).toEqual({ state: 'new' });
    expect(await begin(await context.createTenant())).toEqual({ state: 'new' });
  });

  it('takes a key that expired for a new one', async () => {
    await keep();
    await context
      .get(SystemStatements)
      .run(`update idempotency_keys set expires_at = sutura_now() where organization_id = $1`, [tenant.organizationId]);
    expect(await begin()).toEqual({ state: 'new' });
    await keep();
    expect(await begin()).toMatchObject({ state: 'stored' });
  });

  it('lets one of 50 parallel requests with the same key do the work', async () => {
    let worked = 0;
    const request = () =>
      inTenant(async (transaction) => {
        const found = await ledger.begin(transaction, KEY);
        if (found.state !== 'new') return found.state;
        worked += 1;
        await ledger.store(transaction, KEY, ANSWER);
        return found.state;
      });
    const states = await Promise.all(Array.from({ length: 50 }, request));
    expect(worked).toBe(1);
    expect(states.filter((state) => state === 'new')).toHaveLength(1);
  });

  it('removes expired keys with the sweep and leaves the others', async () => {
    await keep();
    const other = await context.createTenant();
    await inTenant((transaction) => ledger.store(transaction, KEY, ANSWER), other);
    const expire = `update idempotency_keys set expires_at = sutura_now() - interval '1 second' where organization_id = $1`;
    await context.get(SystemStatements).run(expire, [tenant.organizationId]);
    await context.get(JobRepository).sweep(10, 3, { code: 'processing.failed', detail: '', retryable: true });
    const { rows } = await context
      .get(SystemStatements)
      .run('select organization_id from idempotency_keys where organization_id = any ($1)', [
        [tenant.organizationId, other.organizationId],
      ]);
    expect(rows).toEqual([{ organization_id: other.organizationId }]);
  });
});
