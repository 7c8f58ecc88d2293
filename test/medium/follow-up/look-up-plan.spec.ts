import type { LookUpCursor } from '../../../src/core/analysis/look-up-page.js';
import { WoundRepository } from '../../../src/core/followup/wound.repository.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { fromCursorText, readLookUp, toCursorText } from '../../../src/doors/native/paging/page.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { MOST_LOOKED_AT, rarestFirst } from '../../../src/records/analysis/job-pairs.js';
import { orderPairs } from '../../../src/records/analysis/job-pairs-reading.js';
import { reportListQuery } from '../../../src/records/reports/sql-report-look-up.js';
import { woundListQuery } from '../../../src/records/reports/wound-row.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const REPORTS = 100_000;
/** Each with twenty reports, one a week in turn. */
const WOUNDS = 5000;
/** Every job has the ward, every 50,000th the case, and every tenth the nurse. */
const FILL = `do $$ begin
  -- Neither jobs nor photos: a look-up reads none.
  perform set_config('session_replication_role', 'replica', true);
  insert into wounds (id, organization_id, environment, wound_id_system, wound_id, status, created_at)
    select ('02000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'ORG', 'test', 'urn:x', case when n = 7 then 'W-7' end, 'open', timestamptz '2026-01-01Z' + n * interval '1 minute'
      from generate_series(0, ${WOUNDS - 1}) n;
  insert into reports (id, organization_id, environment, job_id, image_id, wound_id, captured_at, job_created_at, version, status, created_at)
    select ('03000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'ORG', 'test', ('04000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
        ('05000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ('02000000-0000-7000-8000-' || lpad((n % ${WOUNDS})::text, 12, '0'))::uuid,
        at, at, 1, 'preliminary', at + interval '1 minute'
      from generate_series(0, ${REPORTS - 1}) n cross join lateral (select timestamptz '2026-01-01Z' + n * interval '1 minute' as at) made;
  insert into job_metadata (organization_id, environment, key, value, created_at, job_id)
    select 'ORG', 'test', pair.key, pair.value, timestamptz '2026-01-01Z' + n * interval '1 minute', ('04000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid
      from generate_series(0, ${REPORTS - 1}) n cross join lateral (
        select 'ward', '3' union all select 'case', '4711' where n % 50000 = 49999 union all select 'nurse', '7' where n % 10 = 0) pair (key, value);
end $$`;
/** One wound with so many photos of one study, then as many of none; of another wound, which was joined into it, the same with the nurse’s photos between. */
const PHOTOS = 2500;
const FILL_ONE_WOUND = `do $$ begin
  perform set_config('session_replication_role', 'replica', true);
  insert into wounds (id, organization_id, environment, wound_id_system, status, merged_into, created_at)
    values ('02000000-0000-7000-8000-000000900000', 'ORG', 'test', 'urn:x', 'open', null, timestamptz '2025-01-01Z'),
      ('02000000-0000-7000-8000-000000900001', 'ORG', 'test', 'urn:x', 'open', '02000000-0000-7000-8000-000000900000', timestamptz '2025-01-01Z');
  insert into reports (id, organization_id, environment, job_id, image_id, wound_id, captured_at, job_created_at, version, status, created_at)
    select ('03000000-0000-7000-8000-' || lpad((900000 + n)::text, 12, '0'))::uuid, 'ORG', 'test', ('04000000-0000-7000-8000-' || lpad((900000 + n)::text, 12, '0'))::uuid,
        ('05000000-0000-7000-8000-' || lpad((900000 + n)::text, 12, '0'))::uuid, ('02000000-0000-7000-8000-00000090000' || n % 2)::uuid,
        at, at, 1, 'preliminary', at + interval '1 minute'
      from generate_series(0, ${4 * PHOTOS - 1}) n cross join lateral (select timestamptz '2025-02-01Z' + n * interval '1 minute' as at) made;
  insert into job_metadata (organization_id, environment, key, value, created_at, job_id)
    select 'ORG', 'test', 'study', 'S-' || n % 2, timestamptz '2025-02-01Z' + n * interval '1 minute', ('04000000-0000-7000-8000-' || lpad((900000 + n)::text, 12, '0'))::uuid
      from generate_series(0, ${2 * PHOTOS - 1}) n;
end $$`;
/** What a page may read, of each table: some for each of its twenty-one rows, and nothing that grows with the number of jobs. */
const MOST_ROWS = 2000;
const MOST_BLOCKS = 5000;
const SAMPLES = 12;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that the scans of a plan read, by table. */
function readRows(node: PlanNode, into: Record<string, number> = {}): Record<string, number> {
  const table = node['Relation Name'];
  if (table !== undefined)
    into[table] =
      (into[table] ?? 0) + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  for (const part of node.Plans ?? []) readRows(part, into);
  return into;
}

type Query = { readonly sql: string; readonly values: readonly unknown[] };
const cursorText = ({ listedAt, ...rest }: LookUpCursor) => toCursorText({ createdAt: listedAt, ...rest });
const cursorOf = (text: string): LookUpCursor => {
  const { createdAt, id, until = null } = fromCursorText(text);
  return { listedAt: createdAt, id, until };
};
const woundNumber = (id: string) => Number(id.slice(-12));

describe('a look-up by the caller’s own references among 100,000 reports', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    tenant = await context.createTenant();
    const fill = (text: string) => queryDatabase(database.url, text.replaceAll('ORG', tenant.organizationId));
    await fill(FILL);
    const waiting = `update reports set attention = array['duplicate_photo'] where organization_id = $1 and right(id::text, 3) = '777'`;
    await queryDatabase(database.url, waiting, [tenant.organizationId]);
    await fill(FILL_ONE_WOUND);
    for (const table of ['wounds', 'reports', 'job_metadata']) await queryDatabase(database.url, `analyze ${table}`);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const run = <Row>({ sql, values }: Query, prefix = ''): Promise<Row[]> =>
    context
      .get(UnitOfWork)
      .inTenant(
        tenant,
        async (transaction) => (await statementsOf(transaction).run<Row>(`${prefix}${sql}`, values)).rows,
      );
  const planOf = async (query: Query): Promise<PlanNode> => {
    const [row] = await run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(query, 'explain (analyze, format json) ');
    return row!['QUERY PLAN'][0].Plan;
  };
  const middle = {
    listedAt: new Date('2026-02-01T00:00:00Z'),
    id: '03000000-0000-7000-8000-000000044640',
    until: null,
  };
  const behind = {
    listedAt: new Date('2026-03-10T00:00:00Z'),
    id: '02000000-0000-7000-8000-000000002920',
    until: null,
  };

  it.each([
    ['reports, the first page', () => reportListQuery(tenant, [['ward', '3']], 21, null)],
    ['reports, a page in the middle', () => reportListQuery(tenant, [['ward', '3']], 21, middle)],
    ['reports of two pairs', () => reportListQuery(tenant, Object.entries({ nurse: '7', ward: '3' }), 21, middle)],
    ['wounds behind a cursor', () => woundListQuery(tenant, { metadata: { ward: '3' } }, 21, behind)],
    ['wounds of a rare pair', () => woundListQuery(tenant, { metadata: { case: '4711' } }, 21, null)],
    ['a named wound', () => woundListQuery(tenant, { woundId: 'W-7', metadata: { ward: '3' } }, 21, null)],
    ['wounds that do not wait', () => woundListQuery(tenant, { attention: false, metadata: { ward: '3' } }, 21, null)],
    ['open wounds', () => woundListQuery(tenant, { status: 'open', metadata: { ward: '3' } }, 21, null)],
    ['wounds that wait', () => woundListQuery(tenant, { attention: true, metadata: { ward: '3' } }, 21, null)],
  ])('reads for %s no more than the page needs, also under row-level security', async (_, make) => {
    const plan = await planOf(make());
    expect(JSON.stringify(plan).includes('"Seq Scan"')).toBe(false);
    expect(plan['Shared Hit Blocks']).toBeLessThanOrEqual(MOST_BLOCKS);
    for (const [table, rows] of Object.entries(readRows(plan)))
      expect([table, rows <= MOST_ROWS]).toEqual([table, true]);
  });

  it('looks at so many jobs and no more where a page finds nothing', async () => {
    const late = { listedAt: new Date('2026-02-01T00:00:00Z'), id: middle.id, until: null };
    const query = woundListQuery(tenant, { metadata: { ward: '3' } }, 21, late);
    const [none] = await run<{ id: string | null; lookedTo: Date }>(query);
    expect(none).toMatchObject({ id: null, lookedTo: new Date('2026-01-30T14:41:00Z') });
    expect(readRows(await planOf(query))['wounds']).toBeLessThanOrEqual(3 * MOST_LOOKED_AT);
  });

  it.each([
    ['all of one pair', { study: 'S-0' }],
    ['of one that is joined into another', { study: 'S-1' }],
  ])('reads each of the photos of one wound once, however many they are: %s', async (_, metadata) => {
    const query = woundListQuery(tenant, { metadata }, 21, null);
    const found = await run<{ id: string; listedAt: Date }>(query);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    // Whatever the statistics have drawn: of four samples, one or two made another plan once.
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const read = readRows(await planOf(query));
      // Those without the pair, behind its newest photo, once for either wound; and the next photo of each that is looked at.
      for (const table of ['reports', 'job_metadata', 'wounds'])
        expect([table, (read[table] ?? 0) <= 5 * MOST_LOOKED_AT + 6 * PHOTOS]).toEqual([table, true]);
      await queryDatabase(database.url, 'analyze job_metadata');
    }
  });

  it('finds reports by their jobs, newest first, each once', async () => {
    const numbers = async (pairs: Record<string, string>, after: typeof middle | null) =>
      (await run<{ id: string | null }>(reportListQuery(tenant, Object.entries(pairs), 3, after))).flatMap(({ id }) =>
        id === null ? [] : [Number(id.slice(-12))],
      );
    expect(await numbers({ ward: '3' }, null)).toEqual([99_999, 99_998, 99_997]);
    expect(await numbers({ ward: '3' }, middle)).toEqual([44_639, 44_638, 44_637]);
    expect(await numbers({ nurse: '7', ward: '3' }, middle)).toEqual([44_630, 44_620, 44_610]);
    expect(await numbers({ case: '4711', ward: '3' }, null)).toEqual([99_999, 49_999]);
    expect(await numbers({ case: '4711', ward: '4' }, null)).toEqual([]);
  });

  it('finds each wound once over all pages, at the newest of its jobs, in pages that look at so many jobs and no more', async () => {
    const found: number[] = [];
    const sizes: number[] = [];
    let after: LookUpCursor | null = null;
    const all = (limit: number, cursor: LookUpCursor | null) =>
      context
        .get(UnitOfWork)
        .inTenant(tenant, (transaction) =>
          context.get(WoundRepository).list(transaction, { metadata: { nurse: '7', ward: '3' } }, limit, cursor),
        );
    do {
      const cursor: string | undefined = after === null ? undefined : cursorText(after);
      const { items, nextCursor }: { items: readonly { id: string }[]; nextCursor: string | null } = await readLookUp(
        { limit: '100', cursor },
        all,
      );
      sizes.push(items.length);
      found.push(...items.map(({ id }) => woundNumber(id)));
      after = nextCursor === null ? null : cursorOf(nextCursor);
    } while (after !== null);
    expect(found).toEqual(Array.from({ length: WOUNDS / 10 }, (_, at) => WOUNDS - 10 - 10 * at));
    expect(sizes).toEqual([100, 100, 100, 100, 100, 0, 0, 0, 0]);
  });

  it('keeps a wound in its place though a further job of it comes between two pages', async () => {
    const metadata = { case: '4711' };
    expect(await run(woundListQuery(tenant, { metadata }, 100, null))).toMatchObject([
      { id: '02000000-0000-7000-8000-000000004999', listedAt: new Date('2026-03-11T10:39:00Z') },
    ]);
    const before = { listedAt: new Date('2026-03-11T10:39:00Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
    const until = new Date('2026-02-10T00:00:00Z');
    expect(await run(woundListQuery(tenant, { metadata }, 100, { ...before, listedAt: until, until }))).toMatchObject([
      { id: '02000000-0000-7000-8000-000000004999', listedAt: new Date('2026-02-04T17:19:00Z') },
    ]);
    expect(
      await run(woundListQuery(tenant, { metadata }, 100, { ...before, listedAt: until, until: null })),
    ).toMatchObject([{ id: null }]);
  });

  it('asks the wounds themselves where a filter leaves few', async () => {
    expect(await run(woundListQuery(tenant, { woundId: 'W-7', metadata: { ward: '3' } }, 100, null))).toHaveLength(1);
    expect(await run(woundListQuery(tenant, { woundId: 'W-7', metadata: { nurse: '7' } }, 100, null))).toEqual([]);
  });

  it('walks along the rarest of the pairs', async () => {
    const pairs = { 2024: '8', ward: '3', case: '4711', nurse: '7' };
    const ordered = await context.get(UnitOfWork).inTenant(tenant, (transaction) => orderPairs(transaction, pairs));
    expect(ordered.map(([key]) => key)).toEqual(['2024', 'case', 'ward', 'nurse']);
    const numbered = { 2024: '8', ward: '3' };
    expect(rarestFirst(numbered, [1000, 7])).toEqual([
      ['ward', '3'],
      ['2024', '8'],
    ]);
  });
});
