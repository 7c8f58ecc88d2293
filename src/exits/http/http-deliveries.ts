import type { IdSource } from '../../core/ports/id-source.js';
import type { SystemStatements } from '../../platform/database/statements.js';
import { failpoint } from '../../platform/failpoints.js';
import type { BodyStore, Columns } from '../kit/queue/delivery.js';
import {
  LeasedDeliveries,
  type Arrivals,
  type EndpointLease,
  type FailedAttempt,
  type ClaimResult,
} from '../kit/queue/leased-deliveries.js';
import type { QueueDefinition } from '../kit/queue/queue-definition.js';
import type { EndpointHealth } from '../kit/sender/delivery.metrics.js';
import { readNext, type SqlFragment, type SendingOrder } from '../kit/queue/claim-statements.js';

/** Days of nothing but failures after which an endpoint is disabled. */
const FAILING_DAYS = 5;
/** The lease is held this long, until every process has seen that the endpoint is disabled. */
const NOBODY_SENDS_S = 15;
const GONE = 410;

/** Why an endpoint was disabled: it answered 410, or every attempt of five days failed. */
export type DisabledReason = 'gone' | 'failing';

/** Writes that an endpoint is disabled, by these statements; false: it was before. */
export type Disabling = (statements: Pick<SystemStatements, 'run'>) => Promise<boolean>;

/** Notified when an endpoint is disabled or recovers. */
export interface EndpointHealthChanges {
  /** Has it written by `disable`, in the transaction in which it is told, so that neither is without the other. False: it was disabled before. */
  disabled(endpointId: string, reason: DisabledReason, disable: Disabling): Promise<boolean>;
  /** `failingSince`: the first failure since the last delivery. */
  recovered(endpointId: string, deliveryId: string, failingSince: Date): Promise<void>;
}

/** The tables of an exit over HTTP; `attempts` has one row for each attempt (the README of the kit lists the columns). */
export interface HttpQueueDefinition<Own> extends QueueDefinition<Own> {
  readonly attempts: string;
}

/**
 * Deliveries over HTTP as senders use them; each attempt is recorded, and updates the health of its endpoint. Endpoints order by
 * `endpoint` and never collapse, so that several deliveries are prefetched, and attempts are counted with their outcome.
 */
export class HttpDeliveries<Own> extends LeasedDeliveries<Own> {
  private readonly log: ReturnType<typeof statementsFor>;
  protected override readonly countsWhenTaken = false;

  constructor(
    definition: HttpQueueDefinition<Own>,
    statements: SystemStatements,
    bodies: BodyStore,
    private readonly ids: IdSource,
    private readonly changes: EndpointHealthChanges,
  ) {
    super(definition, statements, bodies);
    this.log = statementsFor(definition);
  }

  /** The next deliveries. Writes nothing: a prefetched delivery that is not sent stays unchanged. */
  override next({ endpointId, token }: EndpointLease, order: SendingOrder): Promise<ClaimResult<Own>> {
    return this.turn({ sql: readNext(this.definition, order, null), values: [endpointId, token] });
  }

  override async delivered({ endpointId }: EndpointLease, arrivals: Arrivals): Promise<void> {
    const { sql, values } = this.succeeded(arrivals, 2);
    const { rows } = await this.statements.runPrepared<{ failingSince: Date }>(
      `with ${sql} select "failingSince" from healed`,
      [endpointId, ...values],
    );
    await this.written(endpointId, arrivals[0].id, rows[0]?.failingSince ?? null);
  }

  override async deliveredThenNext(
    { endpointId, token }: EndpointLease,
    order: SendingOrder,
    arrivals: Arrivals,
  ): Promise<ClaimResult<Own>> {
    const { sql, values } = this.succeeded(arrivals, 4);
    const turn = await this.turn({
      sql: readNext(this.definition, order, sql),
      values: [endpointId, token, arrivals.map(({ id }) => id), ...values],
    });
    await this.written(endpointId, arrivals[0].id, turn.failingSince);
    return turn;
  }

  override async failed({ endpointId, token }: EndpointLease, id: string, attempt: FailedAttempt): Promise<void> {
    const { columns, fault } = attempt;
    const failure = this.failure(attempt, 4);
    const logged = this.attemptOf(columns, fault, 4 + failure.values.length);
    const { rows } = await this.statements.run<{ failsForLong: boolean }>(
      `with done as (${failure.sql}), attempt as (${this.log.failure(logged.sql)}) ${this.log.failed}`,
      [endpointId, token, id, ...failure.values, ...logged.values],
    );
    await this.answered(endpointId, Number(columns['status_code']));
    if (rows[0]?.failsForLong === true) await this.disable(endpointId, 'failing');
  }

  /** An answer to a request outside the queue: 410 disables the endpoint. */
  async answered(endpointId: string, status: number): Promise<void> {
    if (status === GONE) await this.disable(endpointId, 'gone');
  }

  /** Of all endpoints. */
  async health(): Promise<EndpointHealth[]> {
    return (await this.statements.run<EndpointHealth>(this.log.health)).rows;
  }

  private async disable(endpointId: string, reason: DisabledReason): Promise<void> {
    const disable: Disabling = async (statements) => {
      if ((await statements.run(this.log.disable, [endpointId, reason])).affected === 0) return false;
      await statements.run(this.log.holdBack, [endpointId, this.ids.next()]);
      return true;
    };
    await this.changes.disabled(endpointId, reason, disable);
  }

  /**
   * Common table expressions that record acceptances with their attempts in one commit, the last of them `healed`.
   * $1: the endpoint; the values have the places from `first` on.
   */
  private succeeded(arrivals: Arrivals, first: number): SqlFragment {
    const values: unknown[] = [];
    const written = arrivals.map((arrival, index) => {
      const id = first + values.length;
      const done = this.acceptance(arrival, id, id + 1);
      values.push(arrival.id, ...done.values);
      const attempt = this.attemptOf(arrival.columns, null, first + values.length);
      values.push(...attempt.values);
      return this.log.success(index, done.sql, attempt.sql);
    });
    return { sql: [...written, this.log.healed].join(', '), values };
  }

  private async written(endpointId: string, deliveryId: string, failingSince: Date | null): Promise<void> {
    await failpoint('delivery_written');
    if (failingSince !== null) await this.changes.recovered(endpointId, deliveryId, failingSince);
  }

  /** Figures of one attempt, as a select list with a comma before each. */
  private attemptOf(
    { status_code = null, duration_ms = null, answer = null }: Columns,
    fault: string | null,
    first: number,
  ): SqlFragment {
    const values = [this.ids.next(), status_code, fault, duration_ms ?? 0, answer];
    return { sql: values.map((_, index) => `, $${first + index}`).join(''), values };
  }
}

function statementsFor({ deliveries, endpoints, senders, attempts, endpointId }: HttpQueueDefinition<unknown>) {
  const logged = `insert into ${attempts} (delivered, delivery_id, ${endpointId}, organization_id, environment, at, id, status_code, fault, duration_ms, answer)`;
  const about = `id, ${endpointId}, organization_id, environment`;
  return {
    /** Skips what another sender has recorded meanwhile. */
    success: (index: number, acceptance: string, figures: string): string =>
      `done_${index} as (${acceptance} returning ${about}, delivered_at), attempt_${index} as (${logged} select true, ${about}, delivered_at${figures} from done_${index})`,
    /** $3: the delivery. */
    failure: (figures: string): string =>
      `${logged} select false, ${about}, sutura_now()${figures} from ${deliveries} where id = $3`,
    healed: `before as materialized (select id, failing_since from ${endpoints} where id = $1 and failing_since is not null for no key update),
      healed as (update ${endpoints} set failing_since = null from before where ${endpoints}.id = before.id
        returning before.failing_since as "failingSince")`,
    failed: `update ${endpoints} set failing_since = coalesce(failing_since, sutura_now()) where id = $1
      returning failing_since <= sutura_now() - make_interval(days => ${FAILING_DAYS}) as "failsForLong"`,
    /** Requires failures 12 to 24 h apart: two attempts in five days do not prove that an endpoint is gone. */
    disable: `update ${endpoints} set disabled_at = sutura_now(), disabled_for = $2
      where id = $1 and disabled_at is null and deleted_at is null
        and ($2 = 'gone' or exists (select from ${attempts} first join ${attempts} second on second.${endpointId} = first.${endpointId}
          and second.at between first.at + interval '12 hours' and first.at + interval '24 hours'
          where first.${endpointId} = $1 and not first.delivered and not second.delivered and first.at >= ${endpoints}.failing_since))
      returning id`,
    health: `select id, disabled_at is not null as disabled from ${endpoints} where deleted_at is null`,
    holdBack: `update ${senders} set lease_token = $2, lease_until = sutura_now() + make_interval(secs => ${NOBODY_SENDS_S}) where ${endpointId} = $1`,
  };
}
