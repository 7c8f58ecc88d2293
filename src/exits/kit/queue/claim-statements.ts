import type { Columns } from './delivery.js';
import { forgottenAttempt, ownList, type QueueDefinition } from './queue-definition.js';

/** Order in which deliveries are sent. */
export interface SendingOrder {
  /** endpoint: a delivery waits for all before it; lane: for those of its lane and of its subject. */
  readonly ordering: 'endpoint' | 'lane';
  /** A parked delivery blocks those after it. */
  readonly stopOnParked: boolean;
  /** Sends nothing after the first delivery until that is delivered. */
  readonly waitsForFirst?: boolean;
}

/** A statement, or part of one, with its parameters. */
export interface SqlFragment {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Condition: this process holds the lease. $1: endpoint, $2: token. */
export function leaseIsHeld({ senders, endpointId }: QueueDefinition<unknown>): string {
  return `exists (select from ${senders} where ${endpointId} = $1 and lease_token = $2 and lease_until > sutura_now())`;
}

/** Assignments with a comma before each; `first`: the place of the first value. */
export function assignments(columns: Columns, first: number): string {
  return Object.keys(columns)
    .map((column, index) => `, ${column} = $${first + index}`)
    .join('');
}

/**
 * Takes the next delivery: $1 endpoint, $2 token of its lease; without one, says when the next may be due. `done`: a common table expression
 * that records the arrival of the delivery $3, which the rest of the statement, blind to that, leaves out.
 */
export function claimNext<Own>(definition: QueueDefinition<Own>, order: SendingOrder, done: string | null): string {
  const { deliveries, endpointId, body } = definition;
  const arrived = done === null ? null : '$3';
  const waiting = `${endpointId} = $1 and state = 'waiting'${arrived === null ? '' : ` and id <> ${arrived}`}`;
  const headOf = order.ordering === 'endpoint' ? inOrder : byLane;
  const { head, dueAt } = headOf(definition, order, { waiting, arrived });
  return `with moment as materialized (select sutura_now() as now)${done === null ? '' : `, ${done}`}, ${head},
  taken as (update ${deliveries} delivery set attempts = attempts + 1, sent_at = coalesce(sent_at, moment.now), unsent = false${forgottenAttempt(definition)}
    from head, moment where delivery.id = head.id
    returning delivery.id, delivery.subject_id as "subjectId", delivery.attempts, delivery.${body} as body, delivery.failures, delivery.refusals, head.unsent${ownList(definition)})
  select taken.*, case when taken.id is null then (extract(epoch from ${dueAt} - moment.now) * 1000)::float8 end as "dueInMs"
    from moment left join taken on true`;
}

/** Most deliveries that are prefetched: so many may be sent twice after a crash. */
export const MOST_AHEAD = 4;

/**
 * Reads the next deliveries of an endpoint that orders by `endpoint`, and changes nothing: $1 endpoint, $2 token of its lease; without any, says
 * when the next may be due. `done`: common table expressions that record the arrival of the deliveries $3, one of them `healed`.
 */
export function readNext<Own>(
  definition: QueueDefinition<Own>,
  { waitsForFirst = false }: SendingOrder,
  done: string | null,
): string {
  const { deliveries, endpointId, body, senders } = definition;
  const apart = done === null ? '' : ' and delivery.id <> all($3::uuid[])';
  const opened = `opening.state = 'delivered'${done === null ? '' : ' or opening.id = any($3::uuid[])'}`;
  const isOpen = `(first.number = 1 or exists (select from ${deliveries} opening where opening.${endpointId} = $1 and opening.number = 1 and (${opened})))`;
  // An endpoint that may not be open yet is looked at each time.
  const isAll = waitsForFirst
    ? 'false'
    : `(select count(*) < ${MOST_AHEAD} and count(*) = (select count(*) from due) from first)`;
  return `with moment as materialized (select sutura_now() as now)${done === null ? '' : `, ${done}`},
  first as materialized (select delivery.id, delivery.number, delivery.next_at, delivery.subject_id as "subjectId", delivery.attempts + 1 as attempts, delivery.${body} as body,
      delivery.failures, delivery.refusals, delivery.unsent${ownList(definition)}
    from ${deliveries} delivery where delivery.${endpointId} = $1 and delivery.state = 'waiting'${apart} order by (delivery.number + 0) limit ${MOST_AHEAD}),
  due as materialized (select first.* from first, moment where ${leaseIsHeld(definition)}${waitsForFirst ? ` and ${isOpen}` : ''}
    and not exists (select from first earlier where earlier.number <= first.number and earlier.next_at > moment.now))
  select due.id, due."subjectId", due.attempts, due.body, due.failures, due.refusals, due.unsent${ownNames(definition)},
      case when due.id is null then (select case when next_at > moment.now then extract(epoch from next_at - moment.now) * 1000 end from first order by number limit 1)::float8 end as "dueInMs",
      case when ${isAll} then (select last_number from ${senders} where ${endpointId} = $1) end as "lastNumber"${done === null ? '' : ', healed."failingSince"'}
    from moment left join due on true${done === null ? '' : ' left join healed on true'} order by due.number`;
}

/** The exit's own columns, as they were read, each with a comma before it. */
function ownNames({ ownColumns }: Pick<QueueDefinition<unknown>, 'ownColumns'>): string {
  return Object.keys(ownColumns)
    .map((name) => `, due."${name}"`)
    .join('');
}

interface Queued {
  /** The condition of a waiting delivery of this endpoint. */
  readonly waiting: string;
  /** The parameter of the delivery whose arrival this statement records; null: none. */
  readonly arrived: string | null;
}

interface Head {
  /** Common table expressions, the last of them `head`. */
  readonly head: string;
  /** When a delivery that was tried before is due; null: none is. */
  readonly dueAt: string;
}

/**
 * Only the first is looked at, as all others wait for it. Ordered by an expression that only the index of waiting deliveries has, so that
 * PostgreSQL uses that one whatever its statistics say.
 */
function inOrder(
  definition: QueueDefinition<unknown>,
  { stopOnParked, waitsForFirst = false }: SendingOrder,
  { waiting, arrived }: Queued,
): Head {
  const { deliveries, endpointId } = definition;
  // Here the index of all numbers is wanted.
  const parkedBefore = `(select parked.number from ${deliveries} parked where parked.${endpointId} = $1 and parked.state = 'parked' and parked.number < first.number order by parked.number limit 1) is null`;
  const isOpen = `(first.number = 1 or exists (select from ${deliveries} opening where opening.${endpointId} = $1 and opening.number = 1 and (opening.state = 'delivered'${arrived === null ? '' : ` or opening.id = ${arrived}`})))`;
  return {
    head: `first as materialized (select id, number, next_at from ${deliveries} where ${waiting} order by (number + 0) limit 1),
  head as (select delivery.id, delivery.unsent from first, moment, ${deliveries} delivery
    where delivery.id = first.id and delivery.state = 'waiting' and delivery.next_at <= moment.now and ${leaseIsHeld(definition)}${stopOnParked ? ` and ${parkedBefore}` : ''}${waitsForFirst ? ` and ${isOpen}` : ''}
    for update of delivery)`,
    dueAt: '(select next_at from first where next_at > (select now from moment))',
  };
}

/**
 * A delivery waits for those of its lane, and of its subject, whose versions may be in different lanes after two were joined. Of those that may go,
 * the one with the fewest unanswered attempts comes first, so that one on which the receiver hangs holds up no other.
 */
function byLane(
  definition: QueueDefinition<unknown>,
  { stopOnParked }: SendingOrder,
  { waiting, arrived }: Queued,
): Head {
  const { deliveries, endpointId } = definition;
  const apart = arrived === null ? '' : ` and earlier.id <> ${arrived}`;
  // Worded so that the index of the head, which has neither lane nor subject, does not match.
  const inQueue = `earlier.state in ('waiting', 'parked')${stopOnParked ? '' : " and earlier.state <> 'parked'"}`;
  const holds = `earlier.${endpointId} = $1 and earlier.number < delivery.number${apart} and ${inQueue}`;
  // Evaluated row by row, in the order of the index, until one may go; a join would evaluate all first.
  const behind = (same: string) =>
    `(select earlier.id from ${deliveries} earlier where ${holds} and earlier.${same} = delivery.${same} limit 1) is null`;
  return {
    head: `head as (select delivery.id, delivery.unsent from ${deliveries} delivery, moment
    where ${waiting} and next_at <= moment.now and ${leaseIsHeld(definition)} and ${behind('lane')} and ${behind('subject_id')}
    order by delivery.failures, delivery.number limit 1 for update of delivery)`,
    dueAt: `(select min(next_at) from ${deliveries} where ${waiting} and next_at > (select now from moment))`,
  };
}
