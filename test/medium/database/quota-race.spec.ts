import type { AnalysisService } from '../../../src/core/analysis/analysis.service.js';
import { isSuturaError } from '../../../src/core/errors/sutura-error.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { analysisServiceOver, PLAIN_REQUEST } from '../../support/core-services.js';
import { DatabaseContext } from '../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('the daily quota', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let service: AnalysisService;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    service = analysisServiceOver(context);
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const create = (tenant: Tenant, imageId: string) =>
    context
      .get(UnitOfWork)
      .inTenant(tenant, (transaction) => service.create(transaction, { ...PLAIN_REQUEST, imageId }));
  /** On a machine that is too busy some of many wait too long for a connection, which charges nothing: a client asks again. */
  const createAmongMany = async (tenant: Tenant, imageId: string) => {
    for (;;) {
      try {
        return await create(tenant, imageId);
      } catch (fault) {
        if (!isSuturaError(fault, 'service.unavailable')) throw fault;
      }
    }
  };

  const countsOf = async ({ organizationId }: Tenant) => {
    const count = `select (select count(*)::int from analysis_jobs where organization_id = $1) as jobs,
      (select count(*)::int from outbox_events where organization_id = $1 and kind <> 'quota.threshold') as events,
      (select count(*)::int from outbox_events where organization_id = $1 and kind = 'quota.threshold') as thresholds,
      coalesce((select sum(used)::int from quota_usage where organization_id = $1), 0) as used`;
    return (await context.get(SystemStatements).run(count, [organizationId])).rows[0];
  };

  it('charges nothing for an unknown image', async () => {
    const tenant = await context.createTenant('free');
    await expect(create(tenant, 'no-such-image')).rejects.toMatchObject({ code: 'image.not_found' });
    expect(await countsOf(tenant)).toEqual({ jobs: 0, events: 0, thresholds: 0, used: 0 });
  });

  it('charges nothing when the transaction fails after the charge', async () => {
    const tenant = await context.createTenant('free');
    const image = await context.createImage(tenant);
    const failing = context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      await service.create(transaction, { ...PLAIN_REQUEST, imageId: image.id });
      throw new Error('reply lost');
    });
    await expect(failing).rejects.toThrow('reply lost');
    expect(await countsOf(tenant)).toEqual({ jobs: 0, events: 0, thresholds: 0, used: 0 });
  });

  it('lets exactly 25 of 200 parallel creates through on a plan of 25, and refuses the others with the time to wait, and tells of 80 and 100 % once each', async () => {
    const tenant = await context.createTenant('free');
    const image = await context.createImage(tenant);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => createAmongMany(tenant, image.id)));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
    expect(
      refusals.every((refusal) => isSuturaError(refusal, 'quota.exceeded') && refusal.facts.quota?.used === 25),
    ).toBe(true);
    expect(await countsOf(tenant)).toEqual({ jobs: 25, events: 25, thresholds: 2, used: 25 });
  });

  it('counts the day by the database’s clock', async () => {
    const tenant = await context.createTenant('free');
    const image = await context.createImage(tenant);
    await create(tenant, image.id);
    await setClock('2031-03-01T23:59:57.5Z');
    try {
      expect((await create(tenant, image.id)).quota).toEqual({ limit: 25, used: 1, resetsInS: 3 });
      await setClock('2031-03-02T00:00:00Z');
      expect((await create(tenant, image.id)).quota).toEqual({ limit: 25, used: 1, resetsInS: 86_400 });
    } finally {
      await setClock(null);
    }
    expect(await countsOf(tenant)).toEqual({ jobs: 3, events: 3, thresholds: 0, used: 3 });
  });

  async function setClock(time: string | null): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const body = time === null ? 'select clock_timestamp()' : `select timestamptz ''${time}''`;
    await client.query(
      `create or replace function sutura_now() returns timestamptz language sql volatile as '${body}'`,
    );
    await client.end();
  }
});
