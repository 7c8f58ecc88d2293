import { Injectable } from '@nestjs/common';
import {
  EVENT_LOG_DAYS,
  EventLog,
  type EventLogPage,
  type EventLogQuery,
  type LoggedEvent,
  type TenantEvent,
} from '../../core/deliveries/event-log.js';
import { UnitOfWork, type TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { SystemStatements, isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const KEPT = `interval '${EVENT_LOG_DAYS} days'`;
const MINE = 'organization_id = $1 and environment = $2';
/** Most rows that one statement removes. */
const REMOVED_AT_ONCE = 1000;
const MICROSECONDS_NOW = `floor(extract(epoch from sutura_now()) * 1000000)::bigint`;

/**
 * Numbers are above the microseconds of the clock at which they were given, and rise where it goes back: after a restore, whichever
 * way, they are above all that was given out before, since time has passed; a cursor from then lies before everything new.
 */
const BELOW_NEW = `greatest(log.last_number, ${MICROSECONDS_NOW})`;
/**
 * Both moments are those of the row's lock. What happened before the log began, or is older than what it keeps, is passed over: a further version of a
 * report yields the events of all before it.
 */
const RECORD = `with log as (
    insert into event_logs as log (organization_id, environment, last_number, last_at)
      values ($1, $2, ${MICROSECONDS_NOW} + $3, date_trunc('milliseconds', sutura_now()))
    on conflict (organization_id, environment) do update
      set last_number = ${BELOW_NEW} + $3, last_at = greatest(log.last_at, date_trunc('milliseconds', sutura_now()))
    returning last_number, last_at, begun_at)
  insert into logged_events (organization_id, environment, number, id, type, happened_at, recorded_at, about, data)
    select $1, $2, log.last_number - $3 + event.place, event.id, event.type, event.at, log.last_at, event.about, event.data
      from log cross join json_to_recordset($4::json) as event (place int, id uuid, type text, at timestamptz, about uuid[], data json)
      where event.at >= greatest(log.begun_at, sutura_now() - ${KEPT})
  on conflict do nothing`;
/** Its row is read before the events: what comes meanwhile is behind `lastNumber`, and what is removed meanwhile is not taken for something that never happened. */
const STATE = `greatest(sutura_now() - ${KEPT}, (select begun_at from event_logs where ${MINE})) as "keptSince",
  coalesce((select last_number from event_logs where ${MINE}), 0) as "lastNumber"`;
const REMOVE_OLD = `delete from logged_events where ctid = any (array(
  select ctid from logged_events where recorded_at < (select sutura_now() - ${KEPT}) order by recorded_at limit ${REMOVED_AT_ONCE} for update skip locked))`;
/** The patients of what events name: $3. */
const PATIENTS = `select distinct patient_id as id from (
    select patient_id from analysis_jobs where ${MINE} and id = any($3::uuid[])
    union all select patient_id from images where ${MINE} and id = any($3::uuid[])
    union all select patient_id from wounds where ${MINE} and id = any($3::uuid[])
    union all select patient_id from wounds where ${MINE} and id in (
      select wound_id from reports where ${MINE} and id = any($3::uuid[]))) concerned
  where patient_id is not null`;

type EventRow = Omit<LoggedEvent, 'number'> & { readonly number: string };

@Injectable()
export class SqlEventLog extends EventLog {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly statements: SystemStatements,
  ) {
    super();
  }

  async record(transaction: TenantTransaction, events: readonly TenantEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map(({ id, type, timestamp, data }, index) => {
      return { place: index + 1, id, type, at: timestamp.toISOString(), about: idsIn(data), data };
    });
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, events.length, JSON.stringify(rows)];
    await statementsOf(transaction).runPrepared(RECORD, values);
  }

  read(tenant: Tenant, query: EventLogQuery): Promise<EventLogPage> {
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      const statements = statementsOf(transaction);
      const mine = [tenant.organizationId, tenant.environment];
      const [state] = (await statements.run<{ keptSince: Date; lastNumber: string }>(`select ${STATE}`, mine)).rows;
      const { sql, values } = eventPageQuery(tenant, query, state!.keptSince);
      const { rows } = await statements.run<EventRow>(sql, values);
      // One more than the page holds tells whether there is another.
      const events = rows.slice(0, query.limit).map((row) => ({ ...row, number: Number(row.number) }));
      const named = [...new Set(events.flatMap(({ data }) => idsIn(data)))];
      const patients =
        named.length === 0 ? [] : (await statements.run<{ id: string }>(PATIENTS, [...mine, named])).rows;
      return {
        events,
        hasMore: rows.length > events.length,
        lastNumber: Number(state!.lastNumber),
        keptSince: state!.keptSince,
        patientIds: patients.map(({ id }) => id),
      };
    });
  }

  async removeOld(): Promise<number> {
    let removed = 0;
    for (let last = REMOVED_AT_ONCE; last === REMOVED_AT_ONCE; removed += last)
      last = (await this.statements.run(REMOVE_OLD)).affected;
    return removed;
  }
}

/** By number from the first event of the time on, so that a page costs the same wherever it begins. */
export function eventPageQuery(
  { organizationId, environment }: Tenant,
  { type, since, after, limit }: EventLogQuery,
  keptSince: Date,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [organizationId, environment];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const from = parameter(since !== null && since > keptSince ? since : keptSince);
  const first = `(select number from logged_events where ${MINE} and recorded_at >= ${from} order by recorded_at, number limit 1)`;
  const conditions = [MINE, `number >= ${first}`];
  if (after !== null) conditions.push(`number > ${parameter(after)}`);
  if (type !== null) conditions.push(`type = ${parameter(type)}`);
  const sql = `select number, id, type, happened_at as timestamp, recorded_at as "recordedAt", data from logged_events
    where ${conditions.join(' and ')} order by number limit ${parameter(limit + 1)}`;
  return { sql, values };
}

function idsIn(data: Readonly<Record<string, unknown>>): string[] {
  return Object.values(data).filter((value): value is string => typeof value === 'string' && isCanonicalUuid(value));
}
