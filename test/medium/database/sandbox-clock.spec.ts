import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { AnalysisService } from '../../../src/core/analysis/analysis.service.js';
import { PatientDataErasers } from '../../../src/core/erasure/patient-data-eraser.js';
import type { Retention } from '../../../src/core/erasure/retention.js';
import { RetentionPolicies } from '../../../src/core/erasure/retention-policy.js';
import type { ObjectStore } from '../../../src/core/images/object-store.js';
import { SandboxClock, SandboxClocks, type ClockChange } from '../../../src/core/organizations/sandbox-clock.js';
import { ClinicalClock } from '../../../src/core/ports/clinical-clock.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { ReviewLinkRepository } from '../../../src/core/report/review-link.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { analysisServiceOver, PLAIN_REQUEST } from '../../support/core-services.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { erasureServicesOver } from '../../support/erasure-services.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('the clock of a test environment', () => {
  let database: TestDatabase;
  let dataDir: string;
  let context: DatabaseContext;
  /** Another process. */
  let beside: DatabaseContext;
  let tenant: Tenant;
  let analysis: AnalysisService;
  let retention: Retention;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-clock-'));
    context = await DatabaseContext.open(database.url, { SUTURA_DATA_DIR: dataDir });
    beside = await DatabaseContext.open(database.url);
    analysis = analysisServiceOver(context);
    const store = { deleteAll: () => Promise.resolve() } as unknown as ObjectStore;
    retention = erasureServicesOver(context, store, new PatientDataErasers()).retention;
  });
  afterAll(async () => {
    await beside?.close();
    await context?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const change = (of: Tenant, to: ClockChange) =>
    context
      .get(UnitOfWork)
      .inTenant(of, (transaction) => new SandboxClock(context.get(SandboxClocks)).change(transaction, to));
  const standing = (of: Tenant) =>
    context
      .get(UnitOfWork)
      .inTenant(of, (transaction) => new SandboxClock(context.get(SandboxClocks)).read(transaction));
  const aheadIn = async (process: DatabaseContext, of: Tenant) =>
    (await process.get(ClinicalClock).timelineOf(of)).aheadMs;
  /** Moved, and known to both processes. */
  async function advance(days: number): Promise<void> {
    const { aheadMs } = await change(tenant, { advanceMs: days * DAY_MS });
    for (const process of [context, beside])
      await eventually('the clock to be known', async () => (await aheadIn(process, tenant)) === aheadMs);
  }
  const jobOf = async (capturedAt: Date | null) => {
    const { id: imageId } = await context.createImage(tenant);
    return context
      .get(UnitOfWork)
      .inTenant(tenant, (transaction) => analysis.create(transaction, { ...PLAIN_REQUEST, imageId, capturedAt }));
  };

  it('is not there in live', async () => {
    const live = { ...tenant, environment: 'live' } as const;
    const refusal = { code: 'sandbox.clock_live' };
    await expect(change(live, { advanceMs: DAY_MS })).rejects.toMatchObject(refusal);
    await expect(standing(live)).rejects.toMatchObject(refusal);
    await advance(28);
    expect(await aheadIn(context, live)).toBe(0);
  });

  it('goes forward only, and not for ever', async () => {
    await advance(28);
    const { now, latest } = await standing(tenant);
    const back = new Date(now.getTime() - MINUTE_MS);
    await expect(change(tenant, { now: back })).rejects.toMatchObject({
      code: 'sandbox.clock_back',
      facts: { errors: [{ pointer: '/now' }] },
    });
    const limit = { code: 'sandbox.clock_limit' };
    await expect(change(tenant, { advanceMs: 9_999 * 7 * DAY_MS })).rejects.toMatchObject(limit);
    await expect(change(tenant, { now: new Date(latest.getTime() + MINUTE_MS) })).rejects.toMatchObject(limit);
    expect((await standing(tenant)).aheadMs).toBe(28 * DAY_MS);
    const set = await change(tenant, { now: new Date(latest.getTime() - DAY_MS) });
    expect(set.aheadMs).toBeGreaterThan(3648 * DAY_MS);
  });

  it('is moved so often at most as its moves are kept', async () => {
    await change(tenant, { advanceMs: 1000 });
    await queryDatabase(
      database.url,
      `update sandbox_clocks set moves = (select jsonb_agg(jsonb_build_object('at', n, 'aheadMs', n)) from generate_series(1, 2000) n)
        where organization_id = $1`,
      [tenant.organizationId],
    );
    await expect(change(tenant, { advanceMs: 1000 })).rejects.toMatchObject({ code: 'sandbox.clock_limit' });
  });

  it('is of one organization', async () => {
    const other = await context.createTenant();
    await advance(28);
    expect((await standing(other)).aheadMs).toBe(0);
    expect(await aheadIn(beside, other)).toBe(0);
  });

  it('adds up what is asked of it at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => change(tenant, { advanceMs: 7 * DAY_MS })));
    expect((await standing(tenant)).aheadMs).toBe(35 * DAY_MS);
  });

  it('says when a photo was taken that does not say so, and which times lie ahead', async () => {
    await expect(jobOf(new Date(Date.now() + DAY_MS))).rejects.toMatchObject({ code: 'capture.future' });
    await advance(28);
    const { job } = await jobOf(null);
    const aheadMs = job.capturedAt.getTime() - job.createdAt.getTime();
    expect(Math.abs(aheadMs - 28 * DAY_MS)).toBeLessThan(MINUTE_MS);
    const between = new Date(job.createdAt.getTime() + 27 * DAY_MS);
    expect((await jobOf(between)).job.capturedAt).toEqual(between);
    const beyond = new Date(job.createdAt.getTime() + 29 * DAY_MS);
    await expect(jobOf(beyond)).rejects.toMatchObject({ code: 'capture.future' });
  });

  it('lets photos grow old by it, those of after a move by what came after it, and none of live', async () => {
    const live = { ...tenant, environment: 'live' } as const;
    await context.get(RetentionPolicies).change(tenant.organizationId, { photoDays: 30 });
    const [before, ofLive] = [await context.createImage(tenant), await context.createImage(live)];
    await advance(29);
    expect(await retention.sweep()).toBe(0);
    await advance(2);
    const after = await context.createImage(tenant);
    expect(await retention.sweep()).toBe(1);
    const stored = () =>
      queryDatabase<{ id: string }>(
        database.url,
        `select id from images where organization_id = $1 and status = 'stored' order by id`,
        [tenant.organizationId],
      );
    expect(await stored()).toEqual([ofLive, after].map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1)));
    await advance(31);
    expect(await retention.sweep()).toBe(1);
    expect(await stored()).toEqual([{ id: ofLive.id }]);
    expect(before.id).not.toBe(after.id);
  });

  it('ends links to the review desk, and leaves those of live alone', async () => {
    const links = context.get(ReviewLinkRepository);
    const holderId = v7();
    const { organizationId } = tenant;
    await queryDatabase(
      database.url,
      `insert into users (id, name, display_name, is_installation_admin, created_at) values ($1, $2, 'Nora Field', true, now())`,
      [holderId, `nora-${holderId}`],
    );
    const made = async (environment: Tenant['environment']) => {
      const [id, reportId, sha256] = [v7(), v7(), createHash('sha256').update(randomBytes(16)).digest()];
      const names = { person: null, personSystem: null, personName: null, language: null, frameOrigin: null };
      const about = { subject: 'report', subjectId: reportId, reportId, mode: 'review' } as const;
      const desk = { isFramed: false, isBannerShort: false, idleS: null, lifeS: 600 };
      await links.insert({
        organizationId,
        environment,
        id,
        holderId,
        sha256,
        ...names,
        ...about,
        reportIds: [],
        ...desk,
      });
      return () => links.open(id, sha256, randomBytes(32));
    };
    const [open, opensLater, openInLive] = [await made('test'), await made('test'), await made('live')];
    await change(tenant, { advanceMs: 5 * MINUTE_MS });
    expect(await open()).not.toBeNull();
    await change(tenant, { advanceMs: 6 * MINUTE_MS });
    expect(await opensLater()).toBeNull();
    expect(await openInLive()).not.toBeNull();
  });
});
