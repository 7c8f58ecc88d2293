import type { IdSource } from '../../core/ports/id-source.js';
import type { SystemStatements } from '../../platform/database/statements.js';
import { failpoint } from '../../platform/failpoints.js';
import type { BodyStore, Columns } from './delivery.js';
import { LeasedDeliveries, type EndpointLease } from './leased-deliveries.js';
import type { QueueDefinition } from './queue-definition.js';

/** Days of nothing but failures after which an endpoint is disabled. */
const FAILING_DAYS = 5;
/** No other process sends before every pool has seen that the endpoint is disabled. */
const NOBODY_SENDS_S = 15;
const GONE = 410;

/** Why an endpoint was disabled: it answered 410, or every attempt of five days failed. */
export type DisabledReason = 'gone' | 'failing';

/** Told of endpoints that fall ill or recover. */
export interface EndpointHealthChanges {
  disabled(endpointId: string, reason: DisabledReason): Promise<void>;
  /** `failingSince`: the first failure since the delivery before. */
  recovered(endpointId: string, deliveryId: string, failingSince: Date): Promise<void>;
}

export interface EndpointHealth {
  readonly id: string;
  readonly disabled: boolean;
}

/** The tables of an exit over HTTP; `attempts` has one row for each attempt (the README of `deliveries` lists the columns). */
export interface HttpQueueDefinition<Own> extends QueueDefinition<Own> {
  readonly attempts: string;
}

type FailedAttempt = Parameters<LeasedDeliveries<unknown>['failed']>[2];

/** Deliveries over HTTP as senders use them; each attempt is written down, with what it says of its endpoint's health. */
export class HttpDeliveries<Own> extends LeasedDeliveries<Own> {
  private readonly log: ReturnType<typeof statementsFor>;

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

  override async delivered(id: string, columns: Columns): Promise<void> {
    const attempt = this.attemptOf(id, columns, null, true);
    const { rows } = await this.statements.runPrepared<{ id: string; failingSince: Date }>(
      this.log.succeeded(this.acceptance(columns, attempt.length + 1)),
      [...attempt, id, ...Object.values(columns)],
    );
    await failpoint('delivery_written');
    if (rows[0] !== undefined) await this.changes.recovered(rows[0].id, id, rows[0].failingSince);
  }

  override async failed(lease: EndpointLease, id: string, attempt: FailedAttempt): Promise<void> {
    await super.failed(lease, id, attempt);
    const { columns, fault } = attempt;
    const { rows } = await this.statements.run<{ failsForLong: boolean }>(
      this.log.failed,
      this.attemptOf(id, columns, fault, false),
    );
    await this.answered(lease.endpointId, Number(columns['status_code']));
    if (rows[0]?.failsForLong === true) await this.disable(lease.endpointId, 'failing');
  }

  /** An answer to what was sent past the queue: 410 disables the endpoint, whatever it was asked. */
  async answered(endpointId: string, status: number): Promise<void> {
    if (status === GONE) await this.disable(endpointId, 'gone');
  }

  /** Of every endpoint that there is. */
  async health(): Promise<EndpointHealth[]> {
    return (await this.statements.run<EndpointHealth>(this.log.health)).rows;
  }

  private async disable(endpointId: string, reason: DisabledReason): Promise<void> {
    if ((await this.statements.run(this.log.disable, [endpointId, reason])).affected === 0) return;
    await this.statements.run(this.log.holdBack, [endpointId, this.ids.next()]);
    await this.changes.disabled(endpointId, reason);
  }

  private attemptOf(id: string, columns: Columns, fault: string | null, delivered: boolean): unknown[] {
    const { status_code, duration_ms, answer } = columns;
    return [this.ids.next(), id, status_code ?? null, fault, duration_ms ?? null, answer ?? null, delivered];
  }
}

function statementsFor({ deliveries, endpoints, senders, attempts, endpointId }: HttpQueueDefinition<unknown>) {
  const attempt = `insert into ${attempts} (id, delivery_id, ${endpointId}, organization_id, environment, at, status_code, fault, duration_ms, delivered, answer)
    select $1, id, ${endpointId}, organization_id, environment, sutura_now(), $3, $4, coalesce($5, 0), $7, $6 from ${deliveries} where id = $2
    returning ${endpointId} as endpoint`;
  return {
    /** With `done`, which is the acceptance: two commits an event would be one too many. */
    succeeded: (done: string): string => `with done as (${done}), attempt as (${attempt}),
      before as materialized (select id, failing_since from ${endpoints} where id = (select endpoint from attempt) and failing_since is not null for update)
      update ${endpoints} set failing_since = null from before where ${endpoints}.id = before.id
      returning ${endpoints}.id, before.failing_since as "failingSince"`,
    failed: `with attempt as (${attempt})
      update ${endpoints} set failing_since = coalesce(failing_since, sutura_now()) where id = (select endpoint from attempt)
      returning failing_since <= sutura_now() - make_interval(days => ${FAILING_DAYS}) as "failsForLong"`,
    /** Failures 12 to 24 h apart: an endpoint that was tried twice in five days has not shown that it is gone. */
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
