import { v7 } from 'uuid';
import { EventLog, type EventLogQuery, type TenantEvent } from '../../../src/core/deliveries/event-log.js';
import { PatientDataErasers } from '../../../src/core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../src/core/erasure/patient-record.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { EventLogEraser } from '../../../src/records/events/event-log.eraser.js';
import { eventPageQuery } from '../../../src/records/events/sql-event-log.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const DAY_MS = 86_400_000;

describe('the log of what happened in a tenant', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;

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
  });

  const eventOf = (data: TenantEvent['data'], more: Partial<TenantEvent> = {}): TenantEvent => {
    return { id: v7(), type: 'report.ready', timestamp: new Date(), data, ...more };
  };
  const record = (events: readonly TenantEvent[], of = tenant, meanwhile?: () => Promise<unknown>) =>
    context.get(UnitOfWork).inTenant(of, async (transaction) => {
      await context.get(EventLog).record(transaction, events);
      await meanwhile?.();
    });
  const read = (query: Partial<EventLogQuery> = {}, of = tenant) =>
    context.get(EventLog).read(of, { type: null, since: null, after: null, limit: 100, ...query });
  const idsOf = async (query?: Partial<EventLogQuery>, of?: Tenant) =>
    (await read(query, of)).events.map(({ id }) => id);
  /** Rows of this tenant alone, since the sweep is about all. */
  const age = (id: string, by: string) =>
    queryDatabase(
      database.url,
      `update logged_events set recorded_at = recorded_at - $2::interval where id = $1 returning id`,
      [id, by],
    );

  it('has nothing of another organization, nor of the other environment', async () => {
    await record([eventOf({})]);
    const live: Tenant = { ...tenant, environment: 'live' };
    expect([await idsOf({}, await context.createTenant()), await idsOf({}, live)]).toEqual([[], []]);
  });

  it('has an event once, however often and with whatever else it is told', async () => {
    const [first, second] = [eventOf({ version: 1 }), eventOf({ version: 2 })];
    await record([first]);
    await record([first, second]);
    await Promise.all([record([first, second]), record([second])]);
    expect(await idsOf()).toEqual([first.id, second.id]);
  });

  it('has nothing from before it began, nor what is older than it keeps', async () => {
    await record([eventOf({})]);
    const { number: first, recordedAt } = (await read()).events[0]!;
    const daysAgo = (days: number) => new Date(recordedAt.getTime() - days * DAY_MS);
    const events = [31, 3, 1].map((days) => eventOf({}, { timestamp: daysAgo(days) }));
    await record(events);
    expect(await idsOf({ after: first })).toEqual([events[1]!.id, events[2]!.id]);
    const upgraded = await context.createTenant();
    await queryDatabase(
      database.url,
      `insert into event_logs (organization_id, environment, last_number, last_at, begun_at) values ($1, $2, 0, now(), $3) returning environment`,
      [upgraded.organizationId, upgraded.environment, daysAgo(2)],
    );
    await record(events, upgraded);
    const { events: kept, keptSince } = await read({}, upgraded);
    expect([kept.map(({ id }) => id), keptSince]).toEqual([[events[2]!.id], daysAgo(2)]);
  });

  it('shows nobody an event before one that came into it earlier and was not committed yet', async () => {
    const [slow, quick] = [eventOf({ name: 'slow' }), eventOf({ name: 'quick' })];
    let isQuickThere = false;
    let quickly: Promise<void> | undefined;
    await record([slow], tenant, async () => {
      quickly = record([quick]).then(() => {
        isQuickThere = true;
      });
      expect(await idsOf()).toEqual([]);
      expect(isQuickThere).toBe(false);
    });
    await quickly;
    expect(await idsOf()).toEqual([slow.id, quick.id]);
  });

  it('says up to where it was read, so that who goes on from there misses nothing and sees nothing twice', async () => {
    expect((await read()).lastNumber).toBe(0);
    await record([eventOf({}), eventOf({})]);
    const newest = (await read()).events.at(-1)!.number;
    const page = await read({ since: new Date('2999-01-01T00:00:00Z') });
    expect([page.events, page.hasMore, page.lastNumber]).toEqual([[], false, newest]);
    const later = eventOf({ name: 'later' });
    await record([later]);
    expect(await idsOf({ after: page.lastNumber })).toEqual([later.id]);
  });

  it('shows all that is new also behind a cursor from before a restore, whatever came after the back-up', async () => {
    const event = eventOf({ name: 'in the back-up' });
    await record([event]);
    const backedUp = (await read()).lastNumber;
    for (let lost = 0; lost < 50; lost += 1) await record([eventOf({ lost }), eventOf({ lost })]);
    const cursor = (await read()).lastNumber;
    await queryDatabase(
      database.url,
      `with lost as (delete from logged_events where organization_id = $1 and number > $2)
        update event_logs set last_number = $2 where organization_id = $1 returning last_number`,
      [tenant.organizationId, backedUp],
    );
    expect((await read({ after: cursor })).lastNumber).toBe(backedUp);
    const anew = [eventOf({ name: 'anew' }), eventOf({ name: 'later' })];
    for (const one of anew) await record([one]);
    expect(await idsOf({ after: cursor })).toEqual(anew.map(({ id }) => id));
    expect(await idsOf({ after: backedUp })).toEqual(anew.map(({ id }) => id));
  });

  it('numbers on where the clock was set back, and where a log was numbered from 1 by an older release', async () => {
    await record([eventOf({})]);
    const set = (to: number) =>
      queryDatabase(
        database.url,
        `update event_logs set last_number = $2 where organization_id = $1 returning last_number`,
        [tenant.organizationId, to],
      );
    const ahead = (await read()).lastNumber + DAY_MS;
    await set(ahead);
    await record([eventOf({})]);
    expect((await read()).lastNumber).toBe(ahead + 1);
    await set(41);
    await record([eventOf({})]);
    expect(await idsOf({ after: 41 })).toHaveLength(3);
  });

  it('is read page by page, of one type, and from a time on', async () => {
    const events = Array.from({ length: 5 }, (_, index) =>
      eventOf({ index }, { type: index % 2 === 0 ? 'report.ready' : 'wound.opened' }),
    );
    for (const event of events) await record([event]);
    const first = await read({ limit: 2 });
    expect([first.hasMore, first.events.map(({ data }) => data)]).toEqual([true, [{ index: 0 }, { index: 1 }]]);
    const rest = await read({ limit: 3, after: first.events.at(-1)!.number });
    expect([rest.hasMore, rest.events.map(({ id }) => id)]).toEqual([false, events.slice(2).map(({ id }) => id)]);
    expect(await idsOf({ type: 'wound.opened' })).toEqual([events[1]!.id, events[3]!.id]);
    const { recordedAt } = rest.events[0]!;
    expect(await idsOf({ since: recordedAt })).toContain(events[2]!.id);
    expect(await idsOf({ since: new Date(recordedAt.getTime() + DAY_MS) })).toEqual([]);
    const times = [...first.events, ...rest.events].map((event) => event.recordedAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it.each([
    ['of a time', null, /"logged_events_by_time".*?"Index Cond":.*?\(recorded_at >= /],
    ['of a type', 'report.ready', /"logged_events_by_type".*?"Index Cond":.*?\(type = .*?\(number >= .*?\(number > /],
    ['behind a cursor', null, /"logged_events_pkey".*?"Index Cond":.*?\(number > /],
  ] as const)('finds what is %s through an index, also under row-level security', async (_, type, plan) => {
    const query = { type, since: null, after: 3, limit: 20 };
    const { sql, values } = eventPageQuery(tenant, query, new Date());
    const found = await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      // The table is small here: without this the planner would rightly read it whole.
      await statementsOf(transaction).run('set local enable_seqscan = off');
      return JSON.stringify((await statementsOf(transaction).run(`explain (format json) ${sql}`, values)).rows);
    });
    expect(found).toMatch(plan);
  });

  it('loses what is older than thirty days, which nobody sees before either', async () => {
    const [old, young] = [eventOf({}), eventOf({})];
    await record([old]);
    await record([young]);
    await age(old.id, '30 days 1 minute');
    await age(young.id, '29 days 23 hours');
    expect(await idsOf()).toEqual([young.id]);
    expect(await context.get(EventLog).removeOld()).toBeGreaterThanOrEqual(1);
    const left = await queryDatabase(database.url, `select id from logged_events where organization_id = $1`, [
      tenant.organizationId,
    ]);
    expect(left).toEqual([{ id: young.id }]);
  });

  it('has nothing any more that names a report, job, photo or wound of an erased patient', async () => {
    const [report, job, image, wound, other] = [v7(), v7(), v7(), v7(), v7()];
    const kept = eventOf({ reportId: other, note: 'of another' });
    await record([
      eventOf({ reportId: report }),
      eventOf({ jobId: job }),
      eventOf({ imageId: image, jobId: other }),
      eventOf({ woundId: wound }),
      eventOf({ reportId: other, replaces: report }),
      kept,
    ]);
    const of = { tenant, reportIds: [report], jobIds: [job], requestIds: [], imageIds: [image], woundIds: [wound] };
    const eraser = new EventLogEraser(new PatientDataErasers());
    const { counts } = await context
      .get(UnitOfWork)
      .inSystem((transaction) => eraser.erase(transaction.about(tenant), of as unknown as ErasedPatient));
    expect(counts).toMatchObject([{ what: 'events of the log', rows: 5 }]);
    expect(await idsOf()).toEqual([kept.id]);
  });

  it('says whom its events are about', async () => {
    const job = await context.createJob(tenant);
    await record([eventOf({ jobId: job.id, reportId: v7() })]);
    expect((await read()).patientIds).toEqual(job.patientId === null ? [] : [job.patientId]);
  });
});
