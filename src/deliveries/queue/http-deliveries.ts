import type { IdSource } from '../../core/ports/id-source.js';
import type { SystemStatements } from '../../platform/database/statements.js';
import { failpoint } from '../../platform/failpoints.js';
import type { BodyStore, Columns } from './delivery.js';
import { LeasedDeliveries, type EndpointLease, type FailedAttempt, type Turn } from './leased-deliveries.js';
import type { QueueDefinition } from './queue-definition.js';
import { takeNext, type PlacedSql, type SendingOrder } from './turn-statements.js';

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

/** An endpoint that was failing until this delivery. */
interface Healed {
  readonly endpointId: string;
  readonly failingSince: Date;
}

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
    const { sql, values } = this.succeeded(columns, 1, 2);
    const { rows } = await this.statements.runPrepared<Healed>(`with ${sql} select * from healed`, [id, ...values]);
    await this.written(id, rows[0]?.endpointId, rows[0]?.failingSince);
  }

  override async deliveredThenNext(
    { endpointId, token }: EndpointLease,
    order: SendingOrder,
    id: string,
    columns: Columns,
  ): Promise<Turn<Own>> {
    const { sql, values } = this.succeeded(columns, 3, 4);
    const taken = await this.turn({
      sql: takeNext(this.definition, order, sql),
      values: [endpointId, token, id, ...values],
    });
    await this.written(id, endpointId, taken.failingSince);
    return taken;
  }

  override async failed({ endpointId, token }: EndpointLease, id: string, attempt: FailedAttempt): Promise<void> {
    const { columns, fault } = attempt;
    const failure = this.failure(attempt, 4);
    const logged = this.attemptOf(columns, fault, false, 3, 4 + failure.values.length);
    const { rows } = await this.statements.run<{ failsForLong: boolean }>(
      `with done as (${failure.sql}), attempt as (${logged.sql}) ${this.log.failed}`,
      [endpointId, token, id, ...failure.values, ...logged.values],
    );
    await this.answered(endpointId, Number(columns['status_code']));
    if (rows[0]?.failsForLong === true) await this.disable(endpointId, 'failing');
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

  /** Common table expressions that write the acceptance and its attempt down, the last of them `healed`: two commits an event would be one too many. */
  private succeeded(columns: Columns, idPlace: number, first: number): PlacedSql {
    const done = this.acceptance(columns, idPlace, first);
    const attempt = this.attemptOf(columns, null, true, idPlace, first + done.values.length);
    return {
      sql: `done as (${done.sql}), attempt as (${attempt.sql}), ${this.log.healed}`,
      values: [...done.values, ...attempt.values],
    };
  }

  private async written(id: string, endpointId?: string, failingSince?: Date | null): Promise<void> {
    await failpoint('delivery_written');
    if (endpointId !== undefined && failingSince instanceof Date)
      await this.changes.recovered(endpointId, id, failingSince);
  }

  /** Writes one attempt down, of the delivery whose id has the place `idPlace`. */
  private attemptOf(
    { status_code = null, duration_ms = null, answer = null }: Columns,
    fault: string | null,
    delivered: boolean,
    idPlace: number,
    first: number,
  ): PlacedSql {
    return {
      sql: this.log.attempt(idPlace, first),
      values: [this.ids.next(), status_code, fault, duration_ms ?? 0, delivered, answer],
    };
  }
}

function statementsFor({ deliveries, endpoints, senders, attempts, endpointId }: HttpQueueDefinition<unknown>) {
  return {
    attempt: (id: number, first: number): string => {
      const values = Array.from({ length: 6 }, (_, index) => `$${first + index}`);
      const [attemptId, status, fault, durationMs, delivered, answer] = values;
      return `insert into ${attempts} (id, delivery_id, ${endpointId}, organization_id, environment, at, status_code, fault, duration_ms, delivered, answer)
        select ${attemptId}, id, ${endpointId}, organization_id, environment, sutura_now(), ${status}, ${fault}, ${durationMs}, ${delivered}, ${answer}
          from ${deliveries} where id = $${id} returning ${endpointId} as endpoint`;
    },
    healed: `before as materialized (select id, failing_since from ${endpoints} where id = (select endpoint from attempt) and failing_since is not null for no key update),
      healed as (update ${endpoints} set failing_since = null from before where ${endpoints}.id = before.id
        returning ${endpoints}.id as "endpointId", before.failing_since as "failingSince")`,
    failed: `update ${endpoints} set failing_since = coalesce(failing_since, sutura_now()) where id = (select endpoint from attempt)
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
