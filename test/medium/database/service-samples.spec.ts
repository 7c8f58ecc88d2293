import { SERVICE_TENANT } from '../../../src/core/audit/operator-trail.js';
import { FigureHistory } from '../../../src/core/figures/figure-history.js';
import { FigureSamples } from '../../../src/core/figures/figure-samples.js';
import { LATENCY_BOUNDS_S } from '../../../src/core/figures/service-figures.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const NOW = new Date('2026-03-15T08:42:10Z');
const BOUNDARY = new Date('2026-03-15T08:40:00Z');
const minutes = (count: number): Date => new Date(NOW.getTime() + count * 60_000);
const MODEL = { trace: { models: [{ name: 'outline', version: '2' }] } };

describe('the figures of the service', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let one: Tenant;
  let other: Tenant;
  const history = (now = NOW) => new FigureHistory(context.get(FigureSamples), { now: () => now });
  const end = (id: string, at: string, tookS: number, status = 'completed') =>
    queryDatabase(
      database.url,
      `update analysis_jobs set status = '${status}', completed_at = '${at}', created_at = timestamptz '${at}' - interval '${tookS} seconds',
         ${status === 'completed' ? `result = '${JSON.stringify(MODEL)}'` : `error = '{}'`} where id = '${id}'`,
    );

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    [one, other] = [await context.createTenant(), await context.createTenant('pro', 'live')];
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  it('are a gap where no gateway ran', async () => {
    const points = await history().read('day', {});
    expect(points).toHaveLength(288);
    expect(points.every(({ figures }) => figures === null)).toBe(true);
    expect(points.at(-1)!.at).toEqual(BOUNDARY);
    expect(await history().read('day', { organizationId: 'none' })).toEqual(points);
  });

  it('count what ended in the five minutes, by tenant and in all, and what waits now', async () => {
    const jobs = await Promise.all([one, one, one, one, other].map((tenant) => context.createJob(tenant)));
    await end(jobs[0]!.id, '2026-03-15T08:36:00Z', 2.5);
    await end(jobs[1]!.id, '2026-03-15T08:40:00Z', 2.5);
    // Before and after the span.
    await end(jobs[2]!.id, '2026-03-15T08:35:00Z', 1);
    await end(jobs[4]!.id, '2026-03-15T08:39:00Z', 90, 'error');
    await queryDatabase(
      database.url,
      `insert into quota_usage (organization_id, day, used) values ('${one.organizationId}', '2026-03-15', 4)`,
    );
    expect(await history().take()).toBe(true);
    expect(await history().take()).toBe(false);
    const last = async (of: Partial<Tenant>) => (await history().read('day', of)).at(-1)!.figures;
    expect(await last({})).toMatchObject({
      analysed: 2,
      failed: 1,
      queued: 1,
      quotaUsed: 4,
      models: { 'outline/2': 2 },
    });
    expect(await last({ organizationId: one.organizationId })).toMatchObject({ analysed: 2, failed: 0, p50S: 2.5 });
    expect(await last(other)).toMatchObject({ analysed: 0, failed: 1, queued: 0, p50S: null, p95S: null });
    // A sample was taken, and nothing happened there.
    expect(await last({ ...one, environment: 'live' })).toMatchObject({ analysed: 0, quotaUsed: 4 });
  });

  it('pass over what was asked for in the sandbox, failures and waits, and over nothing else of it', async () => {
    const tenant = await context.createTenant();
    const asking = (sandbox: string) => context.createJob(tenant, { sandbox });
    const [failed, broken, slow] = [await asking('job_failed'), await asking('slow:9s'), await asking('slow:100s')];
    await context.createJob(tenant, { sandbox: 'slow:600s' });
    await end(failed.id, '2026-03-15T08:36:00Z', 1, 'error');
    await end(broken.id, '2026-03-15T08:36:00Z', 10, 'error');
    await end(slow.id, '2026-03-15T08:36:00Z', 102.5);
    const samples = await context.get(FigureSamples).measure(new Date('2026-03-15T08:35:00Z'), BOUNDARY);
    const { figures } = samples.find(({ organizationId }) => organizationId === tenant.organizationId)!;
    expect(figures).toMatchObject({ analysed: 1, failed: 1 });
    expect(figures.queued ?? 0).toBe(0);
    // The class of 2.5 s, as of any analysis that takes so long.
    expect(figures.latencies!.findIndex((count) => count > 0)).toBeLessThanOrEqual(
      LATENCY_BOUNDS_S.findIndex((bound) => bound > 2.5),
    );
  });

  it('are taken once for a moment, however many gateways there are', async () => {
    const later = minutes(5);
    await Promise.all([history(later).take(), history(later).take(), history(later).take()]);
    const [row] = await queryDatabase<{ count: number }>(
      database.url,
      `select count(*)::int from service_samples where sampled_at = '2026-03-15T08:45:00Z' and organization_id = '${SERVICE_TENANT.organizationId}'`,
    );
    expect(row!.count).toBe(1);
  });

  it('of a week are told by hours, of which what waits the most counts', async () => {
    const points = await history(minutes(5)).read('week', {});
    expect(points).toHaveLength(168);
    expect(points.at(-1)).toMatchObject({ at: new Date('2026-03-15T09:00:00Z'), figures: { analysed: 2, queued: 1 } });
    expect(points.at(-2)!.figures).toBeNull();
  });

  it('are removed after eight days', async () => {
    await history(minutes(9 * 24 * 60)).take();
    const rows = await queryDatabase(database.url, `select from service_samples where sampled_at < '2026-03-16'`);
    expect(rows).toEqual([]);
  });
});
