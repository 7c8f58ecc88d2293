import { PassThrough } from 'node:stream';
import { register } from 'prom-client';
import { v7 } from 'uuid';
import type { DeliveredEvent, DomainEventKind, EventAudience } from '../../../src/core/domain-events/domain-event.js';
import { Outbox } from '../../../src/core/domain-events/outbox.js';
import { DomainEventHandler } from '../../../src/core/domain-events/domain-event.handler.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { OutboxRelay } from '../../../src/events/outbox/outbox.relay.js';
import { SqlOutbox } from '../../../src/records/events/sql-outbox.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { createFirstReleaseDatabase } from '../../support/first-release-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let context: DatabaseContext;
let tenant: Tenant;
let log: PassThrough;
/** That of the process under test. */
let outbox: SqlOutbox;
const relays: OutboxRelay[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
});
afterAll(async () => {
  await context?.close();
  await database?.drop();
});
const newOutbox = () => new SqlOutbox(context.get(SystemStatements));
beforeEach(() => {
  log = new PassThrough();
  outbox = newOutbox();
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.beforeApplicationShutdown()));
  await run('delete from outbox_events');
});

/** Hears of one kind of event; `work` may refuse or wait. */
class Listener extends DomainEventHandler {
  readonly heard: string[] = [];

  constructor(
    readonly name: string,
    private readonly work: (event: DeliveredEvent) => Promise<void> = () => Promise.resolve(),
    readonly kinds: readonly DomainEventKind[] = ['analysis.queued'],
    override readonly audience: EventAudience | null = null,
  ) {
    super();
  }

  async handle(event: DeliveredEvent): Promise<void> {
    await this.work(event);
    this.heard.push(event.subjectId);
  }
}

const run = async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await context.get(SystemStatements).run<Row>(sql, values)).rows;

/** What one process has for handing out events. */
function startRelay(handlers: readonly DomainEventHandler[], own: Outbox = outbox): OutboxRelay {
  const relay = new OutboxRelay(own, () => handlers, Logger.create('debug', log));
  relays.push(relay);
  relay.onApplicationBootstrap();
  return relay;
}

/** Commits so many events and answers their subjects. */
async function commit(count = 1, kind: DomainEventKind = 'analysis.queued'): Promise<string[]> {
  const subjects = Array.from({ length: count }, () => v7());
  await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
    for (const subjectId of subjects) await outbox.append(transaction, { kind, subjectId });
  });
  return subjects;
}

const isEmpty = async () => (await run('select from outbox_events')).length === 0;
const untilEmpty = () => eventually('the outbox to be empty', isEmpty);
/** What is owed: handlers, each with the number of its events. */
const owed = async () =>
  Object.fromEntries(
    (
      await run<{ handler: string; count: number }>(
        'select handler, count(*)::int as count from outbox_events group by 1',
      )
    ).map(({ handler, count }) => [handler, count]),
  );
/** As if so much time had passed. */
const later = (interval: string) =>
  run(
    'update outbox_events set next_try_at = next_try_at - $1::interval, created_at = created_at - $1::interval returning id',
    [interval],
  );
const lines = (): Record<string, unknown>[] =>
  ((log.read() as Buffer | null)?.toString().trim().split('\n') ?? []).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );

describe('an event that is due after a pause', () => {
  it('comes to its handler no sooner, though its own process committed it', async () => {
    const takes = new Listener('takes');
    const relay = startRelay([takes]);
    const subjectId = v7();
    await context
      .get(UnitOfWork)
      .inTenant(tenant, (transaction) => outbox.append(transaction, { kind: 'analysis.queued', subjectId }, 60));
    const [behind] = await commit();
    await eventually('the one behind it to be done', async () => (await owed())['takes'] === 1);
    expect(takes.heard).toEqual([behind]);
    await later('61 seconds');
    relay.wake();
    await untilEmpty();
    expect(takes.heard).toEqual([behind, subjectId]);
  });
});

describe('an event that one handler refuses', () => {
  it('comes again to that handler alone, later each time, and the log has its id and not the words of the cause', async () => {
    let refusing = true;
    const refuses = new Listener('refuses', () =>
      refusing ? Promise.reject(new Error('secret text')) : Promise.resolve(),
    );
    const takes = new Listener('takes');
    const relay = startRelay([refuses, takes]);
    const [subject] = await commit();
    await eventually(
      'the other handler to be done',
      async () => (await owed())['takes'] === undefined && takes.heard.length === 1,
    );
    const waits = async () =>
      (
        await run<{ s: number }>(
          'select extract(epoch from next_try_at - sutura_now())::float8 as s from outbox_events',
        )
      )[0]!.s;
    expect(await waits()).toBeGreaterThan(5);

    await later('11 seconds');
    relay.wake();
    await eventually('a second try', async () => (await run('select from outbox_events where tries = 2')).length === 1);
    expect(await waits()).toBeGreaterThan(50);
    expect([refuses.heard, takes.heard]).toEqual([[], [subject]]);

    refusing = false;
    await later('61 seconds');
    relay.wake();
    await untilEmpty();
    expect([refuses.heard, takes.heard]).toEqual([[subject], [subject]]);
    const said = lines();
    expect(said.map(({ event, handler }) => [event, handler])).toEqual([
      ['outbox.handler_failed', 'refuses'],
      ['outbox.handler_failed', 'refuses'],
    ]);
    expect(JSON.stringify(said)).not.toContain('secret text');
  });

  it('is a figure of /metrics with its age, by the handler that it waits for', async () => {
    register.clear();
    startRelay([new Listener('refuses', () => Promise.reject(new Error('not yet'))), new Listener('takes')]);
    await commit(2);
    await eventually('the other handler to be done', async () => (await owed())['takes'] === undefined);
    await later('5 minutes');
    // Of a handler that this release does not have, which is nothing to wait for.
    await run(`update outbox_events set handler = 'gone' where id = (select id from outbox_events limit 1)`);

    const figures = (await register.metrics()).split('\n').filter((line) => line.startsWith('sutura_outbox'));
    expect(figures.slice(0, 3)).toEqual([
      'sutura_outbox_events{handler="fan-out"} 0',
      'sutura_outbox_events{handler="refuses"} 1',
      'sutura_outbox_events{handler="takes"} 0',
    ]);
    const [, age] = /oldest_seconds\{handler="refuses"\} (\S+)/.exec(figures.join('\n'))!;
    expect(Number(age)).toBeGreaterThan(299);
    expect(Number(age)).toBeLessThan(330);
  });
});

describe('an event that this process committed', () => {
  it('reaches its handlers without being read back, and is struck off with others in one statement', async () => {
    const statements: string[] = [];
    const counted = new SqlOutbox({
      run: (sql: string, values: readonly unknown[]) => {
        statements.push(/^(with|delete)[^(]*(\bdue\b|outbox_events)/.exec(sql)?.[0] ?? 'other');
        return context.get(SystemStatements).run(sql, values);
      },
    } as unknown as SystemStatements);
    outbox = counted;
    const [a, b] = [new Listener('a'), new Listener('b')];
    startRelay([a, b]);
    const subjects = await commit(20);
    await eventually('both to have them', () => a.heard.length + b.heard.length === 40);
    await untilEmpty();
    expect([a.heard, b.heard]).toEqual([subjects, subjects]);
    expect(statements.filter((text) => text !== 'other')).toEqual(['delete from outbox_events']);
  });

  it('waits in the outbox where it is one of many, or much waits already', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow = new Listener('slow', () => released);
    startRelay([slow]);
    await commit(150);
    const due = async () => (await run('select from outbox_events where tries = 0')).length;
    expect(await due()).toBe(50);
    await commit(5);
    expect(await due()).toBe(55);
    release();
    await untilEmpty();
    expect(slow.heard).toHaveLength(155);
  });

  it('comes to another process soon after its own was killed', async () => {
    outbox.attach({
      routes: { 'analysis.queued': ['a'] },
      audienceOf: () => null,
      hasRoom: () => true,
      receive: () => undefined,
      wake: () => undefined,
    });
    const subjects = await commit();
    const other = newOutbox();
    const due = async () => (await other.fanOut({ 'analysis.queued': ['a'] }, 10)).due;
    await later('9 seconds');
    expect(await due()).toEqual([]);
    await later('2 seconds');
    expect(await due()).toEqual(['a']);
    const a = new Listener('a');
    startRelay([a], other);
    await untilEmpty();
    expect(a.heard).toEqual(subjects);
  });

  it('of a transaction that was rolled back reaches nobody', async () => {
    const a = new Listener('a');
    startRelay([a]);
    const refused = context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      await outbox.append(transaction, { kind: 'analysis.queued', subjectId: v7() });
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    const [kept] = await commit();
    await untilEmpty();
    expect(a.heard).toEqual([kept]);
  });
});

const WITHOUT_DETAILS = {
  'hl7-destinations': `insert into hl7_destinations (id, organization_id, environment, name, settings, created_at)
    values ($1, $2, $3, $1::uuid::text, '{}', now())`,
  'fhir-subscriptions': `insert into fhir_subscriptions (id, organization_id, environment, version, asked, base, topic, resource_type, filters, content,
      url, headers, timeout_s, max_count, secret, is_off, told_from, created_at, updated_at)
    values ($1, $2, $3, 1, '{}', '', '', 'Task', '[]', 'empty', 'https://ehr.example', '{}', 10, 1, '', false, now(), now(), now())`,
  ehrs: `insert into ehrs (id, organization_id, environment, name, fhir_base_url, origins, push, frame_ancestors, created_at, updated_at)
    values ($1, $2, $3, 'EHR', 'https://ehr.example/' || $1::uuid::text, '{}', '{"enabled": true}', '{}', now(), now())`,
} as const satisfies Record<Exclude<EventAudience, 'fhir'>, string>;

describe.each([
  [
    'HL7 v2 destinations',
    'hl7-destinations',
    'update hl7_destinations set deleted_at = now() where id = $1 returning id',
  ],
  ['Subscriptions', 'fhir-subscriptions', 'update fhir_subscriptions set is_off = true where id = $1 returning id'],
  ['EHRs', 'ehrs', `update ehrs set push = '{"enabled": false}' where id = $1 returning id`],
] as const)('an event for an exit that tells %s', (_name, audience, end) => {
  const ALL = 'report.ready';
  let told: Listener;
  let always: Listener;
  beforeEach(() => {
    told = new Listener('told', undefined, [ALL], audience);
    always = new Listener('always', undefined, [ALL]);
    startRelay([told, always]);
  });
  /** Somebody who listens; their id. */
  const add = async ({ organizationId, environment }: Tenant): Promise<string> => {
    const id = v7();
    await run(`${WITHOUT_DETAILS[audience]} returning id`, [id, organizationId, environment]);
    return id;
  };
  /** What was owed as it was committed. */
  const owedOf = async (): Promise<readonly unknown[]> => {
    const [subject] = await commit(1, ALL);
    await untilEmpty();
    return [subject, told.heard.splice(0), always.heard.splice(0)];
  };

  it('is not kept for it where the tenant has none, only others have, or its last one went; other handlers have it', async () => {
    await add(await context.createTenant());
    await add({ ...tenant, environment: tenant.environment === 'live' ? 'test' : 'live' });
    const [subject, heard, others] = await owedOf();
    expect([heard, others]).toEqual([[], [subject]]);
    const id = await add(tenant);
    await run(end, [id]);
    const [again, heardLater, othersLater] = await owedOf();
    expect([heardLater, othersLater]).toEqual([[], [again]]);
  });

  it('is kept for it from the first one on', async () => {
    const ids = [await add(tenant), await add(tenant)];
    const [subject, heard, others] = await owedOf();
    expect([heard, others]).toEqual([[subject], [subject]]);
    await run(end, [ids[0]!]);
    const [again, heardLater] = await owedOf();
    expect(heardLater).toEqual([again]);
    await run(end, [ids[1]!]);
  });
});

describe('an event for an EHR that nothing new is filed in', () => {
  it('is kept where something was filed before, whether push is switched off or taken away: it may be a withdrawal', async () => {
    const kept = new Listener('kept', undefined, ['report.amended'], 'ehrs');
    startRelay([kept]);
    const [id, { organizationId, environment }] = [v7(), tenant];
    await run(`${WITHOUT_DETAILS.ehrs} returning id`, [id, organizationId, environment]);
    await run(`update ehrs set push = '{"enabled": false}' where id = $1 returning id`, [id]);
    await commit(1, 'report.amended');
    await run(
      `insert into ehr_senders (ehr_id, organization_id, environment, last_number) values ($1, $2, $3, 1) returning ehr_id`,
      [id, organizationId, environment],
    );
    const [switchedOff] = await commit(1, 'report.amended');
    await run('update ehrs set push = null where id = $1 returning id', [id]);
    const [takenAway] = await commit(1, 'report.amended');
    await untilEmpty();
    expect(kept.heard).toEqual([switchedOff, takenAway]);
  });
});

describe('an event for the FHIR projection', () => {
  it('is kept for it from the moment on at which its tenant asked for FHIR, and not where only others did', async () => {
    const kept = new Listener('kept', undefined, ['report.ready'], 'fhir');
    startRelay([kept]);
    const open = ({ organizationId, environment }: Tenant) =>
      run(
        `insert into fhir_openings (organization_id, environment, opened_at) values ($1, $2, now()) returning environment`,
        [organizationId, environment],
      );
    await open(await context.createTenant());
    await open({ ...tenant, environment: tenant.environment === 'live' ? 'test' : 'live' });
    await commit(1, 'report.ready');
    await open(tenant);
    const [subject] = await commit(1, 'report.ready');
    await untilEmpty();
    expect(kept.heard).toEqual([subject]);
  });
});

describe('a handler that is slow', () => {
  it('holds up nobody else, however many events wait for it', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow = new Listener('slow', () => released);
    const quick = new Listener('quick');
    startRelay([slow, quick]);
    const first = await commit(250);
    await eventually('the quick one to have them', () => quick.heard.length === 250);
    const second = await commit(250);
    await eventually(
      'the quick one to have all',
      async () => (await owed())['quick'] === undefined && quick.heard.length === 500,
    );
    expect([slow.heard, await owed()]).toEqual([[], { slow: 500 }]);
    release();
    await untilEmpty();
    expect([slow.heard.toSorted(), quick.heard.toSorted()]).toEqual([1, 2].map(() => [...first, ...second].toSorted()));
  });
});

describe('an event', () => {
  it('of a kind that only a newer release knows stays, and is named in the log', async () => {
    startRelay([new Listener('any')]);
    await commit(1, 'wound.photographed' as DomainEventKind);
    await eventually(
      'the event to be looked at',
      async () => (await run('select from outbox_events where tries = 1')).length === 1,
    );
    expect(await owed()).toEqual({ null: 1 });
    expect(lines()).toMatchObject([{ event: 'outbox.kind_unknown', kind: 'wound.photographed' }]);
  });

  it('that nobody listens to is removed', async () => {
    const listener = new Listener('any');
    startRelay([listener]);
    await commit(1, 'analysis.failed');
    await untilEmpty();
    expect(listener.heard).toEqual([]);
  });

  it('reaches each handler once, whichever of two processes tells it', async () => {
    const handlers = ['a', 'b', 'c'].flatMap((name) => [new Listener(name), new Listener(name)]);
    startRelay(handlers.filter((_, index) => index % 2 === 0));
    startRelay(
      handlers.filter((_, index) => index % 2 === 1),
      newOutbox(),
    );
    const subjects = await commit(450);
    await untilEmpty();
    for (const name of ['a', 'b', 'c'])
      expect(
        handlers
          .filter((handler) => handler.name === name)
          .flatMap(({ heard }) => heard)
          .toSorted(),
      ).toEqual(subjects.toSorted());
  });

  it('that a process had taken for one handler when it was killed comes to that handler again', async () => {
    const [subject] = await commit();
    await outbox.fanOut({ 'analysis.queued': ['a', 'b'] }, 10);
    await outbox.takeDue('a', 10);
    const [a, b] = [new Listener('a'), new Listener('b')];
    const relay = startRelay([a, b]);
    await eventually('the other to have it', async () => (await owed())['b'] === undefined);
    expect(a.heard).toEqual([]);
    await later('31 seconds');
    relay.wake();
    await untilEmpty();
    expect([a.heard, b.heard]).toEqual([[subject], [subject]]);
  });
});

describe('after an upgrade', () => {
  it('what the first release left in the outbox, tried in vain or not, reaches every handler there is now', async () => {
    const earlier = await createFirstReleaseDatabase();
    const subjects = [v7(), v7()];
    for (const [tries, subjectId] of subjects.entries())
      await queryDatabase(
        earlier.url,
        `insert into outbox_events (id, kind, organization_id, environment, subject_id, tries)
         values ($1, 'analysis.queued', $2, $3, $4, $5)`,
        [v7(), tenant.organizationId, tenant.environment, subjectId, tries],
      );
    await migrate(earlier.url, Logger.create('silent'));
    const upgraded = await DatabaseContext.open(earlier.url);
    const [known, added] = [new Listener('known'), new Listener('added')];
    const relay = startRelay([known, added], upgraded.get(Outbox));
    await eventually('both to have them', () => known.heard.length + added.heard.length === 4);
    await relay.beforeApplicationShutdown();
    expect(await queryDatabase(earlier.url, 'select from outbox_events')).toEqual([]);
    expect([known.heard.toSorted(), added.heard.toSorted()]).toEqual([subjects.toSorted(), subjects.toSorted()]);
    await upgraded.close();
    await earlier.drop();
  });

  it('what waits for a handler that was removed stays for a week and no longer, and nobody else is told of it', async () => {
    await commit(2);
    await outbox.fanOut({ 'analysis.queued': ['removed'] }, 10);
    const stays = new Listener('stays');
    const relay = startRelay([stays]);
    await commit(1, 'analysis.failed');
    await eventually(
      'a round',
      async () => (await run('select from outbox_events where handler is null')).length === 0,
    );
    expect(await owed()).toEqual({ removed: 2 });
    await relay.beforeApplicationShutdown();
    await later('8 days');
    startRelay([stays]);
    await untilEmpty();
    expect(stays.heard).toEqual([]);
    expect(lines()).toMatchObject([{ event: 'outbox.handler_gone', handler: 'removed', events: 2 }]);
  });
});
