import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happened in a tenant, as webhooks tell it with `ids`, so that a receiver that was set up late or was away can catch up. Without clinical text.
 * A number is given under the lock of the tenant's row in `event_logs`, so that none appears below one that was read.
 */
export class KeepEventLogs1764781510000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live'))`;

const POLICIES = ['event_logs', 'logged_events'].flatMap((table) => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy tenant on ${table} to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
]);

const STATEMENTS = [
  `create table event_logs (
     ${TENANT},
     last_number bigint not null,
     -- Never goes back, though the clock might.
     last_at timestamptz not null,
     -- Nothing from before is in the log; null: the organization is younger than the log.
     begun_at timestamptz,
     primary key (organization_id, environment))`,
  `create table logged_events (
     ${TENANT},
     number bigint not null,
     -- As in webhook-id.
     id uuid not null,
     type text collate "C" not null,
     happened_at timestamptz not null,
     recorded_at timestamptz not null,
     -- Every id that data names, by which an erasure finds it.
     about uuid[] not null,
     data json not null,
     primary key (organization_id, environment, number),
     unique (organization_id, environment, id))`,
  `create index logged_events_by_type on logged_events (organization_id, environment, type, number)`,
  `create index logged_events_by_time on logged_events (organization_id, environment, recorded_at, number)`,
  `create index logged_events_by_age on logged_events (recorded_at)`,
  `create index logged_events_about on logged_events using gin (about)`,
  ...POLICIES,
  `grant select, insert, update on event_logs to sutura_app, sutura_system`,
  `grant select, insert on logged_events to sutura_app`,
  // A sweep locks what it removes.
  `grant select, insert, update, delete on logged_events to sutura_system`,
  `set local role sutura_system`,
  `insert into event_logs (organization_id, environment, last_number, last_at, begun_at)
     select organizations.id, environment, 0, now(), now() from organizations cross join unnest(array['test', 'live']) environment`,
  `reset role`,
];
