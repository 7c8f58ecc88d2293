import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type {
  DeliveredEvent,
  DomainEvent,
  DomainEventKind,
  EventAudience,
} from '../../core/domain-events/domain-event.js';
import {
  Outbox,
  type EventReceiver,
  type EventRoutes,
  type FanOut,
  type HandledEvent,
  type OutboxBacklog,
} from '../../core/domain-events/outbox.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Environment, Tenant } from '../../core/tenancy/tenant.js';
import { SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const EVENT_COLUMNS = 'id, kind, organization_id, environment, subject_id, created_at, next_try_at';
/** Lease of an event for the handlers of the process that commits it, which are done with it sooner. */
const HANDED_OVER_S = 10;
/** Most events of one transaction that its process leases; the others wait in the outbox for any process. */
const MOST_HANDED_OVER = 100;

/** The tables of each audience, and which of their rows count. */
const LISTENING: Readonly<Record<EventAudience, string>> = {
  'hl7-destinations': 'hl7_destinations listening where listening.deleted_at is null',
  'fhir-subscriptions': 'fhir_subscriptions listening where listening.deleted_at is null and not listening.is_off',
  // The activation of a tenant waits for all that looked before (fhir/projection/fhir-activation.ts).
  fhir: 'fhir_openings listening where true',
  // What was filed is corrected and withdrawn though nothing new is filed there: that waits in the queue, which has a row from its first delivery on.
  ehrs: `ehrs listening where ((listening.push ->> 'enabled')::boolean
      or exists (select from ehr_senders sending where sending.ehr_id = listening.id))`,
};

/**
 * The audiences present in the tenant of `source`. Looked up once for an event and not for each handler, so that PostgreSQL keeps a
 * generic plan of the statement.
 */
const listeningTo = (source: string): string => {
  const ofTenant = `listening.organization_id = ${source}.organization_id and listening.environment = ${source}.environment`;
  const looks = Object.entries(LISTENING).map(
    ([audience, kept]) => `case when exists (select from ${kept} and ${ofTenant}) then '${audience}' end`,
  );
  return `(select array[${looks.join(', ')}] as audiences offset 0) present`;
};

/** Where a value of an event's address stands in a statement. */
type Parameter = `$${number}`;
type AddressParameters = readonly [id: Parameter, handlers: Parameter, audiences: Parameter, lentS: Parameter];

/**
 * Writes one event of `kind` for each row of `source` (organization_id, environment and `subject`) and for each handler that
 * it is owed to; returns them as `handler`. `parameters` are those of `AddressedEvent.values`, in their order.
 */
export function eventInsertOf(
  kind: DomainEventKind | Parameter,
  { source, subject }: { readonly source: string; readonly subject: string },
  [id, handlers, audiences, lentS]: AddressParameters,
): string {
  return `insert into outbox_events (${EVENT_COLUMNS}, handler, tries)
    select ${id}::uuid, ${kind.startsWith('$') ? `${kind}::text` : `'${kind}'`}, organization_id, environment, ${subject}, sutura_now(),
        sutura_now() + make_interval(secs => ${lentS}), owed.handler, (${lentS} > 0)::int
      from ${source} cross join lateral ${listeningTo(source)}
        cross join unnest(${handlers}::text[], ${audiences}::text[]) as owed (handler, audience)
      where owed.audience is null or owed.audience = any (present.audiences) returning handler`;
}

/** An event that is about to be written. */
export interface AddressedEvent {
  /** Id, handlers, their audiences, and the lease of this process's handlers in seconds. */
  readonly values: readonly [
    id: string,
    handlers: readonly (string | null)[],
    audiences: readonly (string | null)[],
    lentS: number,
  ];
  /** To be called after the commit, with the handlers that it was written for; null: for none. */
  handOver(tenant: Tenant, subjectId: string, handlers: readonly (string | null)[] | null): void;
}

/** A row of a statement that writes an event: the handler that it is owed to; null: it is fanned out. */
export interface HandlerRow {
  readonly handler: string | null;
}

/** As HandlerRow, for a statement that writes an event in the common table expression `told`: all handlers in one value; null: none. */
export const HANDLERS_COLUMN = '(select array_agg(handler) from told) as told';
export interface WrittenHandlersRow {
  readonly told: readonly (string | null)[] | null;
}

const INSERT = `with about as (select $6::uuid as organization_id, $7::text as environment, $8::uuid as subject)
  ${eventInsertOf('$5', { source: 'about', subject: 'subject' }, ['$1', '$2', '$3', '$4'])}`;
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
const MARK_HANDLED = `delete from outbox_events event using unnest($1::text[], $2::uuid[]) as done (handler, id)
  where event.id = done.id and event.handler = done.handler`;
const DROP_UNCLAIMED = `with dropped as (delete from outbox_events
    where handler <> all ($1::text[]) and created_at < sutura_now() - make_interval(secs => $2) returning handler)
  select handler, count(*)::int as events from dropped group by handler`;
const BACKLOG = `select handler, count(*)::int as events, extract(epoch from sutura_now() - min(created_at))::float8 as "oldestS"
  from outbox_events group by handler`;

interface EventRow {
  readonly id: string;
  readonly kind: DomainEventKind;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly subject_id: string;
}

@Injectable()
export class SqlOutbox extends Outbox {
  private receiver: EventReceiver | undefined;
  private readonly appended = new WeakMap<TenantTransaction, number>();

  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async append(transaction: TenantTransaction, event: Omit<DomainEvent, 'tenant'>, afterS = 0): Promise<void> {
    const { tenant } = transaction;
    const before = this.appended.get(transaction) ?? 0;
    this.appended.set(transaction, before + 1);
    const addressed = this.address(event.kind, afterS === 0 && before < MOST_HANDED_OVER);
    const [id, owed, audiences, lentS] = addressed.values;
    if (owed.length === 0) return;
    const { rows } = await statementsOf(transaction).runPrepared<HandlerRow>(INSERT, [
      id,
      owed,
      audiences,
      afterS === 0 ? lentS : afterS,
      event.kind,
      tenant.organizationId,
      tenant.environment,
      event.subjectId,
    ]);
    const handlers = rows.map(({ handler }) => handler);
    if (afterS === 0) transaction.afterCommit(() => addressed.handOver(tenant, event.subjectId, handlers));
  }

  attach(receiver: EventReceiver): void {
    this.receiver = receiver;
  }

  /** For `append`, and for statements that write an event by themselves. */
  address(kind: DomainEventKind, mayLend = true): AddressedEvent {
    const { receiver } = this;
    const id = v7();
    // A process without handlers, and one that knows no such kind, leave it to those that fan out.
    const handlers = receiver?.routes[kind] ?? [null];
    const audiences = handlers.map((handler) => (handler === null ? null : (receiver?.audienceOf(handler) ?? null)));
    const lent = mayLend && handlers.length > 0 && handlers[0] !== null && receiver?.hasRoom() === true;
    return {
      values: [id, handlers, audiences, lent ? HANDED_OVER_S : 0],
      handOver(tenant, subjectId, written) {
        if (written === null || written.length === 0) return;
        if (lent)
          receiver.receive(
            { id, kind, tenant, subjectId },
            written.filter((handler) => handler !== null),
          );
        else receiver?.wake();
      },
    };
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

  async markHandled(events: readonly HandledEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.statements.run(MARK_HANDLED, [
      events.map(({ handler }) => handler),
      events.map(({ eventId }) => eventId),
    ]);
  }

  async dropUnclaimed(handlers: readonly string[], ageS: number): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.statements.run<{ handler: string; events: number }>(DROP_UNCLAIMED, [handlers, ageS]);
    return new Map(rows.map(({ handler, events }) => [handler, events]));
  }

  async backlog(): Promise<OutboxBacklog[]> {
    return (await this.statements.run<OutboxBacklog>(BACKLOG)).rows;
  }
}

function toEvent({ id, kind, organization_id, environment, subject_id }: EventRow): DeliveredEvent {
  return { id, kind, tenant: { organizationId: organization_id, environment }, subjectId: subject_id };
}
