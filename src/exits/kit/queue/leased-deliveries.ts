import { isSuturaError } from '../../../core/errors/sutura-error.js';
import type { SystemStatements } from '../../../platform/database/statements.js';
import type { BodyStore, Columns } from './delivery.js';
import { failedAttemptEntry, noted } from './delivery-history.js';
import type { QueueDefinition } from './queue-definition.js';
import { assignments, leaseIsHeld, claimNext, type SqlFragment, type SendingOrder } from './claim-statements.js';

export type { SendingOrder };

/** The right of one process to send to an endpoint, until it expires. */
export interface EndpointLease {
  readonly endpointId: string;
  readonly token: string;
}

export interface Due {
  readonly id: string;
  /** The record that it is about. */
  readonly subjectId: string;
  /** Including the next one. */
  readonly attempts: number;
  /** `failures`: consecutive attempts without a decisive answer; `refusals`: all attempts with a refusal that may pass. */
  readonly failures: number;
  readonly refusals: number;
  /** No byte of it was ever sent. */
  readonly unsent: boolean;
}

/** A delivery that is to be sent now, with the exit's own columns. */
export type DueDelivery<Own> = Due & Own & { readonly bytes: Buffer };

/** The next delivery, or one that cannot be decrypted. */
export type NextDue<Own> = DueDelivery<Own> | { readonly sealed: Due & Own };

/** A row of a claim; the last columns are the same in every row. */
export type TurnRow<Own> = Due &
  Own & {
    /** null: nothing is due. */
    readonly body: Buffer | null;
    readonly dueInMs: number | null;
    readonly lastNumber?: string | null;
    readonly failingSince?: Date | null;
  };

/** When an attempt began and ended, on this process's own clock (`performance.now()`). */
export interface AttemptTime {
  readonly beganMs: number;
  readonly endedMs: number;
}

/** A delivery that was accepted. */
export interface Arrival extends AttemptTime {
  readonly id: string;
  readonly columns: Columns;
}

/** At least one; more only with prefetching. */
export type Arrivals = readonly [Arrival, ...Arrival[]];

/** Outcome of a failed attempt. */
export interface FailedAttempt extends AttemptTime {
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

/** The next deliveries, or when to ask again. */
export interface ClaimResult<Own> {
  /** In their order; empty: nothing is due, or the lease was lost. */
  readonly due: readonly NextDue<Own>[];
  /** Milliseconds until the next retry is due; null: none, or something is due now. */
  readonly dueInMs: number | null;
  /** Number of the last delivery in the queue, if `due` has all that wait; null: more may wait. */
  readonly lastNumber: number | null;
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
  /** Whether an attempt is counted when its delivery is claimed, or with its outcome. */
  protected readonly countsWhenTaken: boolean = true;

  constructor(
    protected readonly definition: QueueDefinition<Own>,
    protected readonly statements: SystemStatements,
    private readonly bodies: BodyStore,
  ) {
    this.sql = statementsFor(definition);
  }

  /** Acquires or renews the lease. False: another process holds it, or the endpoint has no deliveries. */
  async hold({ endpointId, token }: EndpointLease, leaseMs: number): Promise<boolean> {
    return (await this.statements.runPrepared(this.sql.takeLease, [endpointId, token, leaseMs / 1000])).affected > 0;
  }

  async release({ endpointId, token }: EndpointLease): Promise<void> {
    await this.statements.run(this.sql.endLease, [endpointId, token]);
  }

  /** The next delivery, its attempt counted. */
  next({ endpointId, token }: EndpointLease, order: SendingOrder): Promise<ClaimResult<Own>> {
    return this.turn({ sql: claimNext(this.definition, order, null), values: [endpointId, token] });
  }

  /** Even if the lease was lost: the receiver has them. */
  async delivered(_lease: EndpointLease, arrivals: Arrivals): Promise<void> {
    for (const arrival of arrivals) {
      const { sql, values } = this.acceptance(arrival, 1, 2);
      await this.statements.runPrepared(sql, [arrival.id, ...values]);
    }
  }

  /** As `delivered` and then `next`, in one statement. Not where a delivery that is parked holds up others: an acceptance may park. */
  deliveredThenNext(
    { endpointId, token }: EndpointLease,
    order: SendingOrder,
    [arrival]: Arrivals,
  ): Promise<ClaimResult<Own>> {
    const { sql, values } = this.acceptance(arrival, 3, 4);
    return this.turn({
      sql: claimNext(this.definition, order, `done as (${sql})`),
      values: [endpointId, token, arrival.id, ...values],
    });
  }

  /** Runs a claim. */
  protected async turn({
    sql,
    values,
  }: SqlFragment): Promise<ClaimResult<Own> & { readonly failingSince: Date | null }> {
    const { rows } = await this.statements.runPrepared<TurnRow<Own>>(sql, values);
    const { dueInMs, lastNumber = null, failingSince = null } = rows[0]!;
    const due = rows.flatMap(({ body, dueInMs: _, lastNumber: __, failingSince: ___, ...one }) =>
      body === null ? [] : [this.opened(one as typeof one & Due & Own, body)],
    );
    return {
      due,
      dueInMs: due.length > 0 ? null : dueInMs,
      failingSince,
      lastNumber: lastNumber === null ? null : Number(lastNumber),
    };
  }

  private opened(due: Due & Own, body: Buffer): NextDue<Own> {
    try {
      return { ...due, bytes: this.bodies.open(body, due.id) };
    } catch (fault) {
      if (!isSuturaError(fault, this.definition.errors.sealed.code)) throw fault;
      return { sealed: due };
    }
  }

  /** Records that the delivery was accepted. `id`: the parameter of its id; further parameters start at `first`. */
  protected acceptance({ columns, ...time }: Arrival, id: number, first: number): SqlFragment {
    const counted = this.counted(time, first + 1);
    return {
      sql: `update ${this.definition.deliveries} set state = 'delivered', delivered_at = sutura_now() - make_interval(secs => $${first}), fault = null, parked_for = null${counted.sql}${assignments(columns, first + 1 + counted.values.length)}
        where id = $${id} and state <> 'delivered'`,
      values: [secondsSince(time.endedMs), ...counted.values, ...Object.values(columns)],
    };
  }

  /** Assignments, each preceded by a comma, that count the attempt; none if it was counted when claimed. */
  private counted({ beganMs }: AttemptTime, first: number): SqlFragment {
    if (this.countsWhenTaken) return { sql: '', values: [] };
    return {
      sql: `, attempts = attempts + 1, sent_at = coalesce(sent_at, sutura_now() - make_interval(secs => $${first}))`,
      values: [secondsSince(beganMs)],
    };
  }

  /** Writes nothing if the lease was lost. */
  async failed({ endpointId, token }: EndpointLease, id: string, attempt: FailedAttempt): Promise<void> {
    const { sql, values } = this.failure(attempt, 4);
    await this.statements.run(sql, [endpointId, token, id, ...values]);
  }

  /** Records a failed attempt. $1: endpoint, $2: token, $3: delivery; further parameters start at `first`. */
  protected failure(attempt: FailedAttempt, first: number): SqlFragment {
    const { state, afterMs, failures, refusals, fault, unsent, columns } = attempt;
    const changed = { state, failures, refusals, fault, unsent, ...columns };
    const isParked = state === 'parked';
    const counted = this.counted(attempt, first + 3);
    const number = this.countsWhenTaken ? 'attempts' : 'attempts + 1';
    return {
      sql: `update ${this.definition.deliveries} set next_at = sutura_now() + make_interval(secs => $${first}), parked_for = $${first + 1},
          history = sutura_noted(history, jsonb_build_object('at', sutura_now(), 'attempt', ${number}) || $${first + 2}::jsonb)${counted.sql}${assignments(changed, first + 3 + counted.values.length)}
        where id = $3 and state = 'waiting' and ${leaseIsHeld(this.definition)}`,
      values: [
        afterMs / 1000,
        isParked ? 'refused' : null,
        failedAttemptEntry(this.definition, columns, { fault, isParked }),
        ...counted.values,
        ...Object.values(changed),
      ],
    };
  }

  /** Parks a delivery that cannot be decrypted; the attempt does not count. */
  async parkSealed({ id, unsent }: Pick<Due, 'id' | 'unsent'>, columns: Columns): Promise<void> {
    const uncounted = this.countsWhenTaken ? ', attempts = attempts - 1' : '';
    await this.statements.run(
      `update ${this.definition.deliveries} set state = 'parked', parked_for = 'sealed', history = ${noted('parked', "'parkedFor', 'sealed'")}${uncounted}, unsent = $2${assignments(columns, 3)}
        where id = $1 and state = 'waiting'`,
      [id, unsent, ...Object.values(columns)],
    );
  }

  /** Drops a preliminary version if the final one came while it was being retried. */
  async collapse(id: string): Promise<void> {
    await this.statements.run(this.sql.collapse, [id]);
  }

  /** Of every endpoint that there is, and of deleted ones as long as anything waits or is parked for them. */
  async backlog(): Promise<Backlog[]> {
    return (await this.statements.run<Backlog>(this.sql.backlog)).rows;
  }

  /** The receiver answers again: deliveries that only waited for the outage to end are due now. */
  async outageOver(endpointId: string): Promise<void> {
    await this.statements.run(this.sql.afterOutage, [endpointId]);
  }
}

/** Until now. The database has a clock of its own, so it is given durations, never moments. */
function secondsSince(ms: number): number {
  return (performance.now() - ms) / 1000;
}

function statementsFor(definition: QueueDefinition<unknown>) {
  const { deliveries, endpoints, senders, endpointId } = definition;
  return {
    takeLease: `update ${senders} set lease_token = $2, lease_until = sutura_now() + make_interval(secs => $3)
      where ${endpointId} = $1 and (lease_token is null or lease_token = $2 or lease_until < sutura_now())`,
    endLease: `update ${senders} set lease_token = null, lease_until = null where ${endpointId} = $1 and lease_token = $2`,
    /** A preliminary version that was not sent after all, and has a final one behind it by now. */
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
