import { isSuturaError } from '../../core/errors/sutura-error.js';
import type { SystemStatements } from '../../platform/database/statements.js';
import type { BodyStore, Columns } from './delivery.js';
import { forgottenAttempt, ownList, type QueueDefinition } from './queue-definition.js';

/** An endpoint that one process alone sends to, until the lease ends. */
export interface EndpointLease {
  readonly endpointId: string;
  readonly token: string;
}

interface Due {
  readonly id: string;
  /** The record that it is about. */
  readonly subjectId: string;
  readonly attempts: number;
  /** Attempts in a row without an answer that settles anything, and in all with a refusal that may pass. */
  readonly failures: number;
  readonly refusals: number;
  /** No byte of it was sent before. */
  readonly unsent: boolean;
}

/** A delivery that is to be sent now, with the exit's own columns. */
export type DueDelivery<Own> = Due & Own & { readonly bytes: Buffer };

/** The next delivery, or one that no key opens. */
type NextDue<Own> = DueDelivery<Own> | { readonly sealed: Due & Own };

/** Changes to a delivery that did not arrive. */
interface FailedAttempt {
  readonly state: 'waiting' | 'parked';
  readonly afterMs: number;
  readonly failures: number;
  readonly refusals: number;
  /** Why there was no answer, as a code; null: there was one. */
  readonly fault: string | null;
  /** Still no byte of it was sent. */
  readonly unsent: boolean;
  readonly columns: Columns;
}

/** Rules by which one delivery waits for another. */
export interface SendingOrder {
  /** endpoint: a delivery waits for all before it; lane: for those of its lane and of its subject. */
  readonly ordering: 'endpoint' | 'lane';
  /** A parked delivery holds up those that would come after it. */
  readonly stopOnParked: boolean;
}

/** Deliveries that wait for one endpoint. */
export interface Backlog {
  readonly endpointId: string;
  readonly waiting: number;
  readonly parked: number;
  /** Seconds since the oldest waiting delivery was made; 0 without one. */
  readonly oldestS: number;
}

/** The queue as senders use it: single statements over all tenants. */
export class LeasedDeliveries<Own> {
  private readonly sql: ReturnType<typeof statementsFor>;

  constructor(
    private readonly definition: QueueDefinition<Own>,
    protected readonly statements: SystemStatements,
    private readonly bodies: BodyStore,
  ) {
    this.sql = statementsFor(definition);
  }

  /** Takes or prolongs the lease. False: another process has it, or nothing was ever to be sent. */
  async hold({ endpointId, token }: EndpointLease, leaseMs: number): Promise<boolean> {
    return (await this.statements.runPrepared(this.sql.takeLease, [endpointId, token, leaseMs / 1000])).affected > 0;
  }

  async release({ endpointId, token }: EndpointLease): Promise<void> {
    await this.statements.run(this.sql.endLease, [endpointId, token]);
  }

  /** The next delivery, its attempt counted. null: nothing is due, or the lease is no longer ours. */
  async next({ endpointId, token }: EndpointLease, order: SendingOrder): Promise<NextDue<Own> | null> {
    const sql = takeNext(this.definition, order);
    const { rows } = await this.statements.runPrepared<Due & Own & { readonly body: Buffer }>(sql, [endpointId, token]);
    const row = rows[0];
    if (row === undefined) return null;
    const { body, ...due } = row;
    try {
      return { ...due, bytes: this.bodies.open(body, row.id) } as unknown as DueDelivery<Own>;
    } catch (fault) {
      if (!isSuturaError(fault, this.definition.errors.sealed.code)) throw fault;
      return { sealed: due as unknown as Due & Own };
    }
  }

  /** Milliseconds until a delivery that was tried before is due again; null: none is. */
  async nextIn(endpointId: string): Promise<number | null> {
    return (
      (await this.statements.runPrepared<{ ms: number | null }>(this.sql.nextIn, [endpointId])).rows[0]?.ms ?? null
    );
  }

  /** Whatever became of the row meanwhile, and whoever sends now: the receiver has it. */
  async delivered(id: string, columns: Columns): Promise<void> {
    await this.statements.runPrepared(this.acceptance(columns, 1), [id, ...Object.values(columns)]);
  }

  /** The statement of `delivered`, for an exit that writes more with it; `first`: the place of the id, which those of the columns follow. */
  protected acceptance(columns: Columns, first: number): string {
    return `update ${this.definition.deliveries} set state = 'delivered', delivered_at = sutura_now(), fault = null, parked_for = null${assignments(columns, first + 1)}
        where id = $${first} and state <> 'delivered'`;
  }

  /** Nothing is written where the lease is no longer ours. */
  async failed({ endpointId, token }: EndpointLease, id: string, attempt: FailedAttempt): Promise<void> {
    const { state, afterMs, failures, refusals, fault, unsent, columns } = attempt;
    await this.statements.run(
      `update ${this.definition.deliveries} set state = $4, next_at = sutura_now() + make_interval(secs => $5), failures = $6, refusals = $7, fault = $8, unsent = $9,
          parked_for = case when $4 = 'parked' then 'refused' end${assignments(columns, 10)}
        where id = $3 and state = 'waiting' and ${mine(this.definition)}`,
      [endpointId, token, id, state, afterMs / 1000, failures, refusals, fault, unsent, ...Object.values(columns)],
    );
  }

  /** Parks a delivery that was taken and that no key opens; the attempt does not count. */
  async parkSealed({ id, unsent }: Pick<Due, 'id' | 'unsent'>, columns: Columns): Promise<void> {
    await this.statements.run(
      `update ${this.definition.deliveries} set state = 'parked', parked_for = 'sealed', attempts = attempts - 1, unsent = $2${assignments(columns, 3)}
        where id = $1 and state = 'waiting'`,
      [id, unsent, ...Object.values(columns)],
    );
  }

  /** A preliminary version is left out where the final one came while it was tried in vain. */
  async collapse(id: string): Promise<void> {
    await this.statements.run(this.sql.collapse, [id]);
  }

  /** Of every endpoint that there is, and of deleted ones as long as anything waits or is parked for them. */
  async backlog(): Promise<Backlog[]> {
    return (await this.statements.run<Backlog>(this.sql.backlog)).rows;
  }

  /** The receiver answers again: deliveries that wait only because nobody could be reached go now. */
  async outageOver(endpointId: string): Promise<void> {
    await this.statements.run(this.sql.afterOutage, [endpointId]);
  }
}

/** Each with a comma before it; `first`: the place of the first value. */
function assignments(columns: Columns, first: number): string {
  return Object.keys(columns)
    .map((column, index) => `, ${column} = $${first + index}`)
    .join('');
}

function mine({ senders, endpointId }: QueueDefinition<unknown>): string {
  return `exists (select from ${senders} where ${endpointId} = $1 and lease_token = $2 and lease_until > sutura_now())`;
}

/**
 * A delivery waits for those before it: for all of them, or for those of its lane and of its subject, whose versions may be of different lanes
 * where two lanes were joined. Of those that may go, the one that was met with silence least often comes first: one that its receiver chokes on
 * keeps nobody.
 */
function takeNext<Own>(definition: QueueDefinition<Own>, { ordering, stopOnParked }: SendingOrder): string {
  const { deliveries, endpointId, body } = definition;
  const holds = `earlier.${endpointId} = $1 and earlier.number < delivery.number and ${stopOnParked ? "earlier.state in ('waiting', 'parked')" : "earlier.state = 'waiting'"}`;
  const behind =
    ordering === 'endpoint'
      ? ['']
      : [' and earlier.lane = delivery.lane', ' and earlier.subject_id = delivery.subject_id'];
  return `with moment as materialized (select sutura_now() as now),
  head as (
    select delivery.id, delivery.unsent from ${deliveries} delivery, moment
      where delivery.${endpointId} = $1 and delivery.state = 'waiting' and delivery.next_at <= moment.now and ${mine(definition)}
        and ${behind.map((same) => `not exists (select from ${deliveries} earlier where ${holds}${same})`).join(' and ')}
      order by delivery.failures, delivery.number limit 1 for update of delivery)
  update ${deliveries} delivery set attempts = attempts + 1, sent_at = coalesce(sent_at, moment.now), unsent = false${forgottenAttempt(definition)}
    from head, moment where delivery.id = head.id
  returning delivery.id, delivery.subject_id as "subjectId", delivery.attempts, delivery.${body} as body, delivery.failures, delivery.refusals, head.unsent${ownList(definition)}`;
}

function statementsFor(definition: QueueDefinition<unknown>) {
  const { deliveries, endpoints, senders, endpointId } = definition;
  return {
    takeLease: `update ${senders} set lease_token = $2, lease_until = sutura_now() + make_interval(secs => $3)
      where ${endpointId} = $1 and (lease_token is null or lease_token = $2 or lease_until < sutura_now())`,
    endLease: `update ${senders} set lease_token = null, lease_until = null where ${endpointId} = $1 and lease_token = $2`,
    nextIn: `select (extract(epoch from min(next_at) - sutura_now()) * 1000)::float8 as ms from ${deliveries}
      where ${endpointId} = $1 and state = 'waiting' and next_at > sutura_now()`,
    /** A preliminary version that turned out not to have been sent, behind which the final one stands by now. */
    collapse: `update ${deliveries} delivery set state = 'collapsed' where id = $1 and state = 'waiting' and preliminary and unsent
      and exists (select from ${deliveries} newer where newer.${endpointId} = delivery.${endpointId} and newer.subject_id = delivery.subject_id
        and newer.version > delivery.version and not newer.preliminary and newer.state in ('waiting', 'delivered', 'parked'))`,
    backlog: `select endpoint.id as "endpointId", count(*) filter (where delivery.state = 'waiting')::int as waiting, count(*) filter (where delivery.state = 'parked')::int as parked,
        coalesce(extract(epoch from sutura_now() - min(delivery.created_at) filter (where delivery.state = 'waiting')), 0)::float8 as "oldestS"
      from ${endpoints} endpoint left join ${deliveries} delivery on delivery.${endpointId} = endpoint.id and delivery.state in ('waiting', 'parked')
      where endpoint.deleted_at is null or delivery.id is not null group by endpoint.id`,
    afterOutage: `update ${deliveries} set next_at = sutura_now() where ${endpointId} = $1 and state = 'waiting' and unsent and failures > 0 and next_at > sutura_now()`,
  };
}
