import { Injectable } from '@nestjs/common';
import { IdSource } from '../../core/ports/id-source.js';
import { LeasedDeliveries, type Columns, type EndpointLease } from '../../deliveries/index.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { failpoint } from '../../platform/failpoints.js';
import type { DisabledReason } from '../endpoints/webhook.js';
import { PLAIN_BODIES, WEBHOOK_QUEUE, type WebhookColumns } from './webhook-queue.js';
import { HealthChanges } from './health-changes.js';

/** Days of nothing but failures after which an endpoint is disabled. */
const FAILING_DAYS = 5;
/** No other process sends before every pool has seen that the endpoint is disabled. */
const NOBODY_SENDS_S = 15;
const GONE = 410;

const ATTEMPT = `insert into webhook_attempts (id, delivery_id, webhook_id, organization_id, environment, at, status_code, fault, duration_ms, delivered, answer)
  select $1, id, webhook_id, organization_id, environment, sutura_now(), $3, $4, coalesce($5, 0), $7, $6 from webhook_deliveries where id = $2
  returning webhook_id`;
/** With `done`, which is the acceptance: two commits an event would be one too many. */
const succeeded = (done: string): string => `with done as (${done}), attempt as (${ATTEMPT}),
  before as materialized (select id, failing_since from webhooks where id = (select webhook_id from attempt) and failing_since is not null for update)
  update webhooks set failing_since = null from before where webhooks.id = before.id
  returning webhooks.id, before.failing_since as "failingSince"`;
const FAILED = `with attempt as (${ATTEMPT})
  update webhooks set failing_since = coalesce(failing_since, sutura_now()) where id = (select webhook_id from attempt)
  returning failing_since <= sutura_now() - make_interval(days => ${FAILING_DAYS}) as "failsForLong"`;
/** Failures 12 to 24 h apart: an endpoint that was tried twice in five days has not shown that it is gone. */
const DISABLE = `update webhooks set disabled_at = sutura_now(), disabled_for = $2
  where id = $1 and disabled_at is null and deleted_at is null
    and ($2 = 'gone' or exists (select from webhook_attempts first join webhook_attempts second on second.webhook_id = first.webhook_id
      and second.at between first.at + interval '12 hours' and first.at + interval '24 hours'
      where first.webhook_id = $1 and not first.delivered and not second.delivered and first.at >= webhooks.failing_since))
  returning id`;
const HEALTH = `select id, disabled_at is not null as disabled from webhooks where deleted_at is null`;
const HOLD_BACK = `update webhook_senders set lease_token = $2, lease_until = sutura_now() + make_interval(secs => ${NOBODY_SENDS_S}) where webhook_id = $1`;

export interface WebhookHealth {
  readonly id: string;
  readonly disabled: boolean;
}

type FailedAttempt = Parameters<LeasedDeliveries<WebhookColumns>['failed']>[2];

/** Deliveries as senders use them; each attempt is written down, with what it says of its endpoint's health. */
@Injectable()
export class WebhookDeliveries extends LeasedDeliveries<WebhookColumns> {
  constructor(
    statements: SystemStatements,
    private readonly ids: IdSource,
    private readonly changes: HealthChanges,
  ) {
    super(WEBHOOK_QUEUE, statements, PLAIN_BODIES);
  }

  override async delivered(id: string, columns: Columns): Promise<void> {
    const attempt = this.attemptOf(id, columns, null, true);
    const { rows } = await this.statements.runPrepared<{ id: string; failingSince: Date }>(
      succeeded(this.acceptance(columns, attempt.length + 1)),
      [...attempt, id, ...Object.values(columns)],
    );
    await failpoint('delivery_written');
    if (rows[0] !== undefined) await this.changes.recovered(rows[0].id, id, rows[0].failingSince);
  }

  override async failed(lease: EndpointLease, id: string, attempt: FailedAttempt): Promise<void> {
    await super.failed(lease, id, attempt);
    const { columns, fault } = attempt;
    const { rows } = await this.statements.run<{ failsForLong: boolean }>(
      FAILED,
      this.attemptOf(id, columns, fault, false),
    );
    if (columns['status_code'] === GONE) await this.disable(lease.endpointId, 'gone');
    else if (rows[0]?.failsForLong === true) await this.disable(lease.endpointId, 'failing');
  }

  /** Of every endpoint that there is. */
  async health(): Promise<WebhookHealth[]> {
    return (await this.statements.run<WebhookHealth>(HEALTH)).rows;
  }

  private async disable(endpointId: string, reason: DisabledReason): Promise<void> {
    if ((await this.statements.run(DISABLE, [endpointId, reason])).affected === 0) return;
    await this.statements.run(HOLD_BACK, [endpointId, this.ids.next()]);
    await this.changes.disabled(endpointId, reason);
  }

  private attemptOf(id: string, columns: Columns, fault: string | null, delivered: boolean): unknown[] {
    const { status_code, duration_ms, answer } = columns;
    return [this.ids.next(), id, status_code ?? null, fault, duration_ms ?? null, answer ?? null, delivered];
  }
}
