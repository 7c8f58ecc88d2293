import { UnitOfWork, type TenantTransaction } from '../../../src/core/ports/unit-of-work.js';
import { SuturaError } from '../../../src/core/errors/sutura-error.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SharedReads } from '../../../src/platform/database/shared-reads.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let context: DatabaseContext;
let tenant: Tenant;
let opened = 0;
let reads: SharedReads<TenantTransaction>;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
});

beforeEach(() => {
  opened = 0;
  reads = new SharedReads(context.get(UnitOfWork), (transaction) => {
    opened += 1;
    return transaction;
  });
});

afterAll(async () => {
  await context?.close();
  await database?.drop();
});

const read = (sql: string) => (transaction: TenantTransaction) =>
  statementsOf(transaction)
    .run<{ answer: string }>(sql)
    .then(({ rows }) => rows[0]!.answer);

/** The same in each read of one transaction. */
const whichTransaction = read('select pg_current_xact_id()::text as answer');

it('tells each reader its own fault, and answers the others of its transaction', async () => {
  const refusal = new SuturaError('image.not_found');
  const settled = await Promise.allSettled([
    reads.run(tenant, read(`select 'first' as answer`)),
    reads.run(tenant, read('select 1 / 0 as answer')),
    reads.run(tenant, () => Promise.reject(refusal)),
    reads.run(tenant, read(`select 'last' as answer`)),
  ]);
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason === refusal))).toEqual([
    'first',
    false,
    true,
    'last',
  ]);
});

it('fails every reader where the database is not to be had, and reads again once it is', async () => {
  const away = { inTenant: () => Promise.reject(new SuturaError('service.unavailable')) } as unknown as UnitOfWork;
  const lost = new SharedReads(away, (transaction) => transaction);
  const asked = [1, 2, 3].map(() => lost.run(tenant, whichTransaction));
  for (const one of await Promise.allSettled(asked))
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'service.unavailable' } });
  expect(await reads.run(tenant, read(`select 'here' as answer`))).toBe('here');
});

it('shares a transaction among the reads of a tenant that come at the same time', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => reads.run(tenant, whichTransaction)));
  expect(new Set(ids).size).toBe(1);
  expect(opened).toBe(1);
});

it('never shares one between tenants', async () => {
  const other = await context.createTenant();
  const organizationOf = read(`select current_setting('app.organization') as answer`);
  const asked = [tenant, other, tenant, other];
  expect(await Promise.all(asked.map((one) => reads.run(one, organizationOf)))).toEqual(
    asked.map(({ organizationId }) => organizationId),
  );
});

it('answers a short read before a long one of its transaction has ended', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const long = reads.run(tenant, async (transaction) => {
    await held;
    return whichTransaction(transaction);
  });
  const short = await reads.run(tenant, whichTransaction);
  release();
  expect(await long).toBe(short);
});
