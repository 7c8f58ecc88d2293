import pg from 'pg';
import { v7 } from 'uuid';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { DRAFT_DAYS, ReviewDraftRepository } from '../../../src/core/report/review-draft.js';
import { ReviewPresence } from '../../../src/core/report/review-presence.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { sessionOptions } from '../../../src/platform/database/data-source.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('the table of drafts', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;
  let reportId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    reportId = v7();
    // The rest of a report is of no account here.
    await queryDatabase(
      database.url,
      `with off as (select set_config('session_replication_role', 'replica', true))
       insert into reports (id, organization_id, environment, job_id, image_id, wound_id, captured_at, job_created_at, version, status, created_at)
         select $1, $2, $3, $1, $1, $1, now(), now(), 1, 'preliminary', now() from off`,
      [reportId, tenant.organizationId, tenant.environment],
    );
    await context.get(UnitOfWork).inTenant(tenant, (transaction) =>
      context.get(ReviewDraftRepository).keep(transaction, 'person:N-1', {
        reportId,
        revision: v7(),
        reportVersion: 1,
        sizeBytes: 100,
        linkId: v7(),
        follows: [],
        isChosen: false,
        work: {
          outlines: null,
          mmPerPixel: null,
          reviewerName: '',
          note: 'of N-1',
          reassignment: null,
          ruler: null,
          screen: { tool: 'points', isTissueShown: false },
        },
      }),
    );
  });

  /** What a connection of this role sees after these settings. */
  async function seen(role: 'sutura_app' | 'sutura_system', author: string | null, columns = 'work'): Promise<number> {
    const client = new pg.Client({ connectionString: database.url, options: sessionOptions(role) });
    await client.connect();
    try {
      await client.query('begin');
      for (const [name, value] of [
        ['app.organization', tenant.organizationId],
        ['app.environment', tenant.environment],
        ['app.author', author ?? ''],
      ])
        await client.query('select set_config($1, $2, true)', [name, value]);
      return (await client.query(`select ${columns} from review_drafts where report_id = $1`, [reportId])).rows.length;
    } finally {
      await client.end();
    }
  }

  it('shows a tenant’s connection nothing without an author, nothing of another author, and the author’s own', async () => {
    expect(await seen('sutura_app', null)).toBe(0);
    expect(await seen('sutura_app', 'person:N-2')).toBe(0);
    expect(await seen('sutura_app', 'person:N-1')).toBe(1);
  });

  it('lets the service’s own role see that there is one, and never what is in it', async () => {
    await expect(seen('sutura_system', 'person:N-1')).rejects.toThrow('permission denied');
    expect(await seen('sutura_system', null, 'report_id, size_bytes, saved_at')).toBe(1);
  });

  it('goes with its report, as do the pages that have it open: an erasure that knows neither, of the release before, ends', async () => {
    await queryDatabase(
      database.url,
      `insert into review_presence (organization_id, environment, link_id, tab_id, report_id, author, can_decide, since, seen_at)
         values ($1, $2, $3, $3, $4, 'person:N-1', true, now(), now())`,
      [tenant.organizationId, tenant.environment, v7(), reportId],
    );
    await queryDatabase(database.url, `delete from reports where id = $1`, [reportId]);
    for (const table of ['review_drafts', 'review_presence'])
      expect(await queryDatabase(database.url, `select from ${table} where report_id = $1`, [reportId])).toEqual([]);
  });

  it('forgets pages that fell silent long ago, and no other', async () => {
    const [silent, open] = [v7(), v7()];
    for (const [id, minutes] of [
      [silent, 60],
      [open, 1],
    ] as const)
      await queryDatabase(
        database.url,
        `insert into review_presence (organization_id, environment, link_id, tab_id, report_id, author, name, can_decide, since, seen_at)
           values ($1, $2, $3, $3, $4, 'person:N-1', 'Petra Pflege', true, now(), now() - make_interval(mins => $5))`,
        [tenant.organizationId, tenant.environment, id, reportId, minutes],
      );
    await context.get(ReviewPresence).removeSilent();
    const left = await queryDatabase<{ id: string }>(
      database.url,
      `select tab_id as id from review_presence where report_id = $1`,
      [reportId],
    );
    expect(left).toEqual([{ id: open }]);
  });

  it('forgets what nobody went on with for its days, and not a day before', async () => {
    const drafts = context.get(ReviewDraftRepository);
    const age = (days: number) =>
      queryDatabase(
        database.url,
        `update review_drafts set saved_at = now() - make_interval(days => $2) where report_id = $1`,
        [reportId, days],
      );
    await age(DRAFT_DAYS - 1);
    await drafts.removeOld(DRAFT_DAYS);
    expect(await seen('sutura_app', 'person:N-1')).toBe(1);
    await age(DRAFT_DAYS + 1);
    expect(await drafts.removeOld(DRAFT_DAYS)).toBeGreaterThanOrEqual(1);
    expect(await seen('sutura_app', 'person:N-1')).toBe(0);
  });
});
