import { Injectable } from '@nestjs/common';
import { EVENT_HANDLERS } from '../../core/domain-events/domain-event.handler.js';
import { HeldService } from '../../core/held/held.service.js';
import { ANALYSES_PER_DAY } from '../../core/organizations/organization.js';
import {
  MOST_COUNTED,
  StandingFacts,
  type CountFacts,
  type ServiceFacts,
  type ListenerFacts,
  type ProcessFacts,
  type QuotaFacts,
  type ReceiverFacts,
  type WorkFacts,
} from '../../core/standing/standing-facts.js';
import { SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { MetricReading } from '../../platform/health/metric-reading.js';
import { ConcurrencyLimit } from '../../platform/turns/concurrency-limit.js';
import { FAILED, WAITS, WAITS_SINCE } from '../analysis/asked-waits.js';
import { FRESH } from './process-reports.js';
import { RECEIVERS } from './receiver-statement.js';

/** Connections of the pool that a look takes at once. */
const AT_ONCE = 2;
/** So long many people who look cost no more than one; whoever resumed a connection sees it at the next look. */
const FRESH_MS = 2000;

const ORGANIZATIONS = `select organization.id, organization.name, coalesce(usage.used, 0)::int as used,
    coalesce(organization.daily_limit_override, ($1::jsonb ->> organization.plan)::int)::int as "limit"
  from organizations organization left join quota_usage usage on usage.organization_id = organization.id and usage.day = (sutura_now() at time zone 'UTC')::date`;
const DATABASE = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly", sutura_now() as now`;
const LISTENERS = `select listener.id, listener.organization_id as "organizationId", listener.environment, listener.name,
    (listener.settings ->> 'port')::int as port, not listener.enabled as "isPaused",
    case when not listener.enabled or listener.settings ->> 'port' is null then null else coalesce(told.served, false) end as "isServed",
    case when coalesce(told.served, false) then null else coalesce(told.reason, 'no_gateway') end as "notServedReason",
    case when coalesce(told.served, false) then null else coalesce(told.since, told.seen_at) end as "notServedSince",
    told.ends as "certificateEndsAt", last.at as "lastMessageAt"
  from hl7_listeners listener
  left join lateral (select bool_or(report.reason is null) filter (where report.${FRESH}) as served, min(report.reason) filter (where report.${FRESH}) as reason,
      min(report.since) filter (where report.${FRESH}) as since, max(report.seen_at) as seen_at, min(report.certificate_expires_at) filter (where report.${FRESH}) as ends
    from hl7_served_listeners report where report.listener_id = listener.id) told on true
  left join lateral (select received_at as at from hl7_inbound where source_id = listener.id order by id desc limit 1) last on true
  where listener.deleted_at is null order by listener.created_at, listener.id`;
const PROCESSES = `select process_id as id, host, roles, failing, figures, seen_at as "seenAt", ${FRESH} as "isFresh" from process_reports order by process_id`;
/** Of the events of one handler, so many that are due first and so many that are tried last are looked at. */
const EVENTS_LOOKED_AT = 100;
const oldestEvent = (of: string): string =>
  `(select min(created_at) from ((select created_at from outbox_events where ${of} order by next_try_at, sequence limit ${EVENTS_LOOKED_AT})
    union all (select created_at from outbox_events where ${of} order by next_try_at desc, sequence desc limit ${EVENTS_LOOKED_AT})) owed)`;
const WORK = `select (select count(*)::int from analysis_jobs where ${WAITS}) as "jobsQueued",
    (select count(*)::int from analysis_jobs where status = 'processing') as "jobsRunning",
    least((select min(${WAITS_SINCE}) from analysis_jobs where ${WAITS}), (select min(${WAITS_SINCE}) from analysis_jobs where status = 'processing')) as "oldestJobAt",
    (select max(completed_at) from analysis_jobs where completed_at is not null) as "lastJobEndedAt",
    least(${oldestEvent('handler is null')}, (select min(oldest.at) from unnest($1::text[]) name cross join lateral (select ${oldestEvent('handler = name')} as at) oldest)) as "oldestEventAt",
    (select min(received_at) from hl7_inbound where state = 'received') as "oldestMessageAt"`;
/** Those that failed unasked, and that nobody has run again with success, or is running again. */
const FAILED_JOBS = `select organization_id as "organizationId", environment, code, count(*)::int as count, min(completed_at) as since
  from (select job.organization_id, job.environment, job.completed_at, coalesce(job.error ->> 'code', 'unknown') as code from analysis_jobs job
    where job.completed_at > sutura_now() - interval '24 hours' and ${FAILED} and job.error ->> 'code' is distinct from 'job.cancelled'
      and not exists (select from analysis_jobs other where other.image_id = job.image_id and other.organization_id = job.organization_id
        and other.environment = job.environment and other.status <> 'error' and (other.created_at, other.id) > (job.created_at, job.id))
    limit ${MOST_COUNTED}) failed group by 1, 2, 3`;
const MESSAGES = `select organization_id as "organizationId", environment, state as code, count(*)::int as count, min(received_at) as since
  from (select organization_id, environment, state, received_at from hl7_inbound where state in ('failed', 'sealed') limit ${MOST_COUNTED}) stuck group by 1, 2, 3`;

type DatabaseRow = { readonly isReadOnly: boolean; readonly now: Date };
type ProcessRow = Omit<ProcessFacts, 'failing'> & { readonly failing: Readonly<Record<string, string>> };
type OrganizationRow = Omit<QuotaFacts, 'organizationId'> & { readonly id: string; readonly name: string };

/** Reads what the tables of the records, doors and exits say, each part at most once in 2 s and for no longer than 2 s. */
@Injectable()
export class SqlStandingFacts extends StandingFacts {
  private readonly places = new ConcurrencyLimit(AT_ONCE);
  private readonly organizations: MetricReading<readonly OrganizationRow[]>;
  private readonly database: MetricReading<DatabaseRow>;
  private readonly receivers: MetricReading<readonly ReceiverFacts[]>;
  private readonly listeners: MetricReading<readonly ListenerFacts[]>;
  private readonly processes: MetricReading<readonly ProcessFacts[]>;
  private readonly work: MetricReading<WorkFacts>;
  private readonly failedJobs: MetricReading<readonly CountFacts[]>;
  private readonly messages: MetricReading<readonly CountFacts[]>;
  private readonly heldItems: MetricReading<readonly CountFacts[]>;

  constructor(
    private readonly statements: SystemStatements,
    held: HeldService,
  ) {
    super();
    const reading = <T>(read: () => Promise<T>) => new MetricReading(read, undefined, this.places, FRESH_MS);
    this.organizations = reading(() => this.rows<OrganizationRow>(ORGANIZATIONS, [toJsonb(ANALYSES_PER_DAY)]));
    this.database = reading(async () => (await this.rows<DatabaseRow>(DATABASE))[0]!);
    this.receivers = reading(() => this.rows<ReceiverFacts>(RECEIVERS));
    this.listeners = reading(() => this.rows<ListenerFacts>(LISTENERS));
    this.processes = reading(async () => (await this.rows<ProcessRow>(PROCESSES)).map(toProcess));
    this.work = reading(async () => (await this.rows<WorkFacts>(WORK, [EVENT_HANDLERS]))[0]!);
    this.failedJobs = reading(() => this.rows<CountFacts>(FAILED_JOBS));
    this.messages = reading(() => this.rows<CountFacts>(MESSAGES));
    this.heldItems = reading(async () =>
      (await held.count()).map(({ reason, items, oldestSince, organizationId, environment }) => ({
        organizationId,
        environment,
        code: reason,
        count: items,
        since: oldestSince,
      })),
    );
  }

  async gather(): Promise<ServiceFacts> {
    const [organizations, database, receivers, listeners, processes, work, failedJobs, messages, held] =
      await Promise.all([
        this.organizations.latest(),
        this.database.latest(),
        this.receivers.latest(),
        this.listeners.latest(),
        this.processes.latest(),
        this.work.latest(),
        this.failedJobs.latest(),
        this.messages.latest(),
        this.heldItems.latest(),
      ]);
    return {
      organizations: organizations === null ? null : new Map(organizations.map(({ id, name }) => [id, name])),
      quotas: organizations?.map(({ id: organizationId, used, limit }) => ({ organizationId, used, limit })) ?? null,
      isReadOnly: database?.isReadOnly ?? null,
      now: database?.now ?? null,
      receivers,
      listeners,
      processes,
      work,
      failedJobs,
      messages,
      held,
    };
  }

  private async rows<Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.statements.run<Row>(sql, values)).rows;
  }
}

function toProcess({ failing, ...process }: ProcessRow): ProcessFacts {
  const since = Object.entries(failing).map(([part, at]) => [part, new Date(at)] as const);
  return { ...process, failing: Object.fromEntries(since) };
}
