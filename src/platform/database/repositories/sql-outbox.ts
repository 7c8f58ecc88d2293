import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { DeliveredEvent, DomainEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { Outbox, type EventRoutes, type FanOut } from '../../../core/domain-events/outbox.js';
import type { Transaction, TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Environment } from '../../../core/tenancy/tenant.js';
import { SystemStatements, toJsonb } from '../statements.js';
import { statementsOf } from '../unit-of-work.js';

/** The columns of an event, in the order of every statement that writes one. */
export const EVENT_COLUMNS = 'id, kind, organization_id, environment, subject_id, created_at, next_try_at';
const INSERT = `insert into outbox_events (${EVENT_COLUMNS})
  values ($1, $2, $3, $4, $5, sutura_now(), sutura_now())`;
/** 30 s, doubled with each try, 2 h at most. */
const LEND = `tries = event.tries + 1,
  next_try_at = sutura_now() + least(interval '2 hours', interval '30 seconds' * power(2, least(event.tries, 10)))`;
/**
 * The row of the event becomes that of its first handler, and the others get copies. One statement, so that a killed
 * process leaves all of them or none.
 */
const FAN_OUT = `with moment as materialized (select sutura_now() as now),
  fresh as materialized (
    select event.*, $2::jsonb -> event.kind as handlers from outbox_events event, moment
      where handler is null and next_try_at <= moment.now order by next_try_at, sequence limit $1 for update of event skip locked),
  unheard as (delete from outbox_events event using fresh where event.sequence = fresh.sequence and fresh.handlers = '[]'),
  strange as (update outbox_events event set ${LEND}
    from fresh where event.sequence = fresh.sequence and fresh.handlers is null returning event.*),
  first as (update outbox_events event set handler = fresh.handlers ->> 0, tries = 0, next_try_at = moment.now
    from fresh, moment where event.sequence = fresh.sequence and fresh.handlers ->> 0 is not null),
  others as (insert into outbox_events (${EVENT_COLUMNS}, handler)
    select id, kind, organization_id, environment, subject_id, created_at, moment.now, name
      from fresh cross join moment cross join lateral jsonb_array_elements_text(fresh.handlers - 0) name order by sequence)
  select (select count(*)::int from fresh) as taken,
    array(select name from unnest($3::text[]) name
      where exists (select from fresh where fresh.handlers ? name) or exists (select from outbox_events, moment where handler = name and next_try_at <= moment.now)) as due,
    (select coalesce(jsonb_agg(to_jsonb(strange)), '[]') from strange) as unknown`;
const TAKE_DUE = `with due as (
    select sequence from outbox_events where handler = $1 and next_try_at <= (select sutura_now())
      order by next_try_at, sequence limit $2 for update skip locked),
  lent as (update outbox_events event set ${LEND} from due where event.sequence = due.sequence returning event.*)
  select id, kind, organization_id, environment, subject_id from lent order by sequence`;
const DROP_UNCLAIMED = `with dropped as (delete from outbox_events
    where handler <> all ($1::text[]) and created_at < sutura_now() - make_interval(secs => $2) returning handler)
  select handler, count(*)::int as events from dropped group by handler`;

interface EventRow {
  readonly id: string;
  readonly kind: DomainEventKind;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly subject_id: string;
}

@Injectable()
export class SqlOutbox extends Outbox {
  private readonly listeners = new Set<() => void>();
  private readonly touched = new WeakSet<Transaction>();

  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async append(transaction: TenantTransaction, event: Omit<DomainEvent, 'tenant'>): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).runPrepared(INSERT, [
      v7(),
      event.kind,
      organizationId,
      environment,
      event.subjectId,
    ]);
    if (this.touched.has(transaction)) return;
    this.touched.add(transaction);
    transaction.afterCommit(() => this.announce());
  }

  /** For statements that commit an event by themselves. */
  announce(): void {
    this.listeners.forEach((listener) => listener());
  }

  onAppended(listener: () => void): void {
    this.listeners.add(listener);
  }

  async fanOut(routes: EventRoutes, limit: number): Promise<FanOut> {
    const handlers = [...new Set(Object.values(routes).flat())];
    const { rows } = await this.statements.run<FanOut & { readonly unknown: EventRow[] }>(FAN_OUT, [
      limit,
      toJsonb(routes),
      handlers,
    ]);
    const { taken, due, unknown } = rows[0]!;
    return { taken, due, unknown: unknown.map(toEvent) };
  }

  async takeDue(handler: string, limit: number): Promise<DeliveredEvent[]> {
    return (await this.statements.run<EventRow>(TAKE_DUE, [handler, limit])).rows.map(toEvent);
  }

  async markHandled(handler: string, eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    await this.statements.run('delete from outbox_events where handler = $1 and id = any ($2::uuid[])', [
      handler,
      eventIds,
    ]);
  }

  async dropUnclaimed(handlers: readonly string[], ageS: number): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.statements.run<{ handler: string; events: number }>(DROP_UNCLAIMED, [handlers, ageS]);
    return new Map(rows.map(({ handler, events }) => [handler, events]));
  }
}

function toEvent({ id, kind, organization_id, environment, subject_id }: EventRow): DeliveredEvent {
  return { id, kind, tenant: { organizationId: organization_id, environment }, subjectId: subject_id };
}
