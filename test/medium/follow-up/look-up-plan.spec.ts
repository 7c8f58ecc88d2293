import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { reportListQuery } from '../../../src/records/reports/sql-report-look-up.js';
import { woundListQuery } from '../../../src/records/reports/wound-row.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const PAIRS = { case: '4711', ward: '3' };

describe('a look-up by the caller’s own references', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    tenant = await context.createTenant();
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  it.each([
    ['reports', () => reportListQuery(tenant, PAIRS, 20, { createdAt: new Date(), id: tenant.organizationId })],
    ['wounds', () => woundListQuery(tenant, { metadata: PAIRS }, 20, null)],
  ])(
    'begins at the index of the pair and finds %s by the index of their job, also under row-level security',
    async (_, make) => {
      const { sql, values } = make();
      const plan = await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
        // The tables are small here: without this the planner would rightly read them whole.
        await statementsOf(transaction).run('set local enable_seqscan = off');
        return JSON.stringify((await statementsOf(transaction).run(`explain (format json) ${sql}`, values)).rows);
      });
      expect(plan).toMatch(/"job_metadata_(?:pkey|of_job)".*?"Index Cond":/);
      expect(plan).toMatch(/"job_metadata_pkey".*?"Index Cond":.*?\(key = .*?\(value = /);
      expect(plan).toContain('"reports_by_job"');
      expect(plan).not.toContain('"Seq Scan"');
    },
  );
});
