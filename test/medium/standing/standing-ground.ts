import { v7 } from 'uuid';
import type { HeldCount } from '../../../src/core/held/held-item.js';
import { HeldService } from '../../../src/core/held/held.service.js';
import type { HeldSource } from '../../../src/core/held/held-source.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Finding } from '../../../src/core/standing/finding.js';
import { StandingService } from '../../../src/core/standing/standing.service.js';
import type { HeldRights } from '../../../src/core/tenancy/roles.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { SqlStandingFacts } from '../../../src/records/standing/sql-standing-facts.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** Of a process that is well in everything. */
export const GOOD_FIGURES = {
  sutura_data_free_bytes: 9_000_000_000,
  sutura_data_least_free_bytes: 500_000_000,
  sutura_backup_age_seconds: 3600,
  sutura_backup_taken: 1,
  sutura_audit_seal_age_seconds: 20,
  sutura_audit_chain_breaks: 0,
};

/** What the tests write, children before parents. */
const WRITTEN = [
  'process_reports',
  'hl7_outbox',
  'hl7_senders',
  'hl7_destinations',
  'fhir_subscription_deliveries',
  'fhir_subscription_senders',
  'fhir_subscriptions',
  'webhook_senders',
  'webhooks',
  'hl7_served_listeners',
  'hl7_listeners',
  'hl7_inbound',
  'quota_usage',
  'outbox_events',
  'analysis_jobs',
];

/** A database in which facts are written as the service writes them, and the standing that is read of them. */
export class StandingGround {
  held: readonly HeldCount[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly context: DatabaseContext,
    readonly tenant: Tenant,
  ) {}

  static async open(): Promise<StandingGround> {
    const database = await createTestDatabase();
    const context = await DatabaseContext.open(database.url);
    return new StandingGround(database, context, await context.createTenant());
  }

  /** Connections of their own, as those of a process that starts now. */
  static async beside({ database, tenant }: StandingGround): Promise<StandingGround> {
    return new StandingGround(database, await DatabaseContext.open(database.url), tenant);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.database.drop();
  }

  query<Row extends object = object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return queryDatabase<Row>(this.database.url, sql, [...values]);
  }

  /** Without what was read a moment ago. `now`: the clock of the process. */
  service(now = () => new Date()): StandingService {
    const source = { reasons: [], count: () => Promise.resolve(this.held) } as unknown as HeldSource;
    const held = new HeldService([source], this.context.get(UnitOfWork));
    const facts = new SqlStandingFacts(this.context.get(SystemStatements), held);
    return new StandingService(facts, { now });
  }

  /** Those of one fault, or of one part that is well. */
  async find(of: Partial<Pick<Finding, 'fault' | 'part'>>, rights?: HeldRights): Promise<readonly Finding[]> {
    const { findings } = await this.service().read(rights);
    return findings.filter((one) => Object.entries(of).every(([name, value]) => one[name as 'part'] === value));
  }

  async destination(name: string, enabled = true): Promise<string> {
    const id = v7();
    await this.query(
      `insert into hl7_destinations (id, organization_id, environment, name, enabled, settings, created_at)
         values ($1, $2, $3, $4, $5, '{"host":"ehr.example.org","port":6661}', now())`,
      [id, ...this.owner(), name, enabled],
    );
    await this.served('hl7_senders', 'destination_id', id);
    return id;
  }

  async webhook(changes: { disabledFor?: 'gone' | 'failing'; failingSince?: Date } = {}): Promise<string> {
    const id = v7();
    const { disabledFor = null, failingSince = null } = changes;
    await this.query(
      `insert into webhooks (id, organization_id, environment, url, types, content, schemes, secret, signing_seed, disabled_for, disabled_at, failing_since, created_at)
         values ($1, $2, $3, 'https://ward.example.org/hook', '{}', 'ids', '{v1}', '\\x00', '\\x00', $4::text, case when $4::text is null then null else now() end, $5, now())`,
      [id, ...this.owner(), disabledFor, failingSince],
    );
    await this.served('webhook_senders', 'webhook_id', id);
    return id;
  }

  /** A message for a destination. `ago`: seconds since it was made. */
  async outbound(
    destinationId: string,
    { ago = 10, ...columns }: { readonly ago?: number } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const names = Object.keys(columns);
    await this.query(
      `insert into hl7_outbox (id, destination_id, organization_id, environment, number, control_id, kind, subject_id, version, lane, preliminary, message, size_bytes, next_at, created_at${names.map((name) => `, ${name}`).join('')})
         values ($1, $2, $3, $4, (select coalesce(max(number), 0) + 1 from hl7_outbox where destination_id = $2), 'C1', 'result', $1, 1, 'lane', false, '\\x00', 1, now(), now() - make_interval(secs => $5)${names.map((_, place) => `, $${place + 6}`).join('')})`,
      [v7(), destinationId, ...this.owner(), ago, ...Object.values(columns)],
    );
  }

  /** Many alike, behind all others; the refused ones an hour before now. */
  async outbounds(destinationId: string, count: number, state: 'waiting' | 'parked'): Promise<void> {
    await this.query(
      `insert into hl7_outbox (id, destination_id, organization_id, environment, number, control_id, kind, subject_id, version, lane, preliminary, message, size_bytes, next_at, created_at, state, parked_for)
         select gen_random_uuid(), $1, $2, $3, 1000 + place, 'C1', 'result', gen_random_uuid(), 1, 'lane', false, '\\x00', 1, now(), now() - interval '1 hour', $5, case $5 when 'parked' then 'refused' end
           from generate_series(1, $4) place`,
      [destinationId, ...this.owner(), count, state],
    );
  }

  async subscription(): Promise<string> {
    const id = v7();
    await this.query(
      `insert into fhir_subscriptions (id, organization_id, environment, asked, base, topic, resource_type, filters, content, url, headers, timeout_s, max_count, secret, version, is_off, told_from, created_at, updated_at)
         values ($1, $2, $3, '{}', 'https://sutura.example.org', 'topic', 'Task', '[]', 'id-only', 'https://ehr.example.org/told', '{}', 10, 1, '\\x00', 1, false, now(), now(), now())`,
      [id, ...this.owner()],
    );
    await this.served('fhir_subscription_senders', 'subscription_id', id);
    return id;
  }

  /** A delivery of a Subscription; number 1 is its handshake. */
  async notification(subscriptionId: string, number: number, state: string): Promise<void> {
    await this.query(
      `insert into fhir_subscription_deliveries (id, subscription_id, organization_id, environment, number, type, state, subject_id, version, lane, preliminary, body, size_bytes, next_at, created_at)
         values ($1, $2, $3, $4, $5::bigint, case when $5::bigint = 1 then 'handshake' else 'event-notification' end, $6, $1, 1, 'lane', false, '\\x00', 1, now(), now())`,
      [v7(), subscriptionId, ...this.owner(), number, state],
    );
  }

  /** An event that waits for a handler; null: for all. `ago`: seconds since it was written. */
  async event(handler: string | null, ago: number, nextTryInS = 0): Promise<void> {
    await this.query(
      `insert into outbox_events (id, kind, organization_id, environment, subject_id, created_at, next_try_at, handler)
         values ($1, 'job.completed', $2, $3, $1, now() - make_interval(secs => $4), now() + make_interval(secs => $5), $6)`,
      [v7(), ...this.owner(), ago, nextTryInS, handler],
    );
  }

  async listener(name: string, port: number): Promise<string> {
    const id = v7();
    await this.query(
      `insert into hl7_listeners (id, organization_id, environment, name, enabled, settings, created_at) values ($1, $2, $3, $4, true, $5, now())`,
      [id, ...this.owner(), name, { port }],
    );
    return id;
  }

  /** As a process with these roles reports. `ago`: seconds since then. */
  async process(
    roles: readonly string[],
    { ago = 0, failing = {}, figures = GOOD_FIGURES }: { ago?: number; failing?: object; figures?: object } = {},
  ): Promise<void> {
    await this.query(
      `insert into process_reports (process_id, host, roles, failing, figures, seen_at) values ($1, 'ward-host', $2, $3, $4, now() - make_interval(secs => $5))`,
      [v7(), roles, failing, figures, ago],
    );
  }

  /** Takes away what a test before has written. */
  async clear(): Promise<void> {
    this.held = [];
    await this.query(WRITTEN.map((table) => `delete from ${table}`).join('; '));
  }

  private async served(senders: string, endpointId: string, id: string): Promise<void> {
    await this.query(
      `insert into ${senders} (${endpointId}, organization_id, environment, lease_token, lease_until) values ($1, $2, $3, $1, now() + interval '1 minute')`,
      [id, ...this.owner()],
    );
  }

  private owner(): [string, string] {
    return [this.tenant.organizationId, this.tenant.environment];
  }
}
