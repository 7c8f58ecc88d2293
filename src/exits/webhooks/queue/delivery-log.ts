import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { UnitOfWork, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { heldEndpoint, sentAgain, type DeliveryState } from '../../kit/index.js';
import { isCanonicalUuid } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { WebhookEventType } from '../../../core/deliveries/webhook-events.js';
import { WEBHOOK_QUEUE } from './webhook-queue.js';

/** A delivery without its body. */
export interface DeliveryRecord {
  readonly id: string;
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly sequence: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Of the last attempt; null where there was none, or no answer, which `fault` tells. */
  readonly statusCode: number | null;
  readonly fault: string | null;
  readonly createdAt: Date;
  readonly nextAt: Date;
  readonly deliveredAt: Date | null;
}

export interface AttemptRecord {
  readonly at: Date;
  readonly statusCode: number | null;
  readonly fault: string | null;
  readonly durationMs: number;
  readonly delivered: boolean;
  /** The beginning of what the receiver answered. */
  readonly answer: string | null;
}

/** The end of a page, newest first. */
export interface DeliveryCursor {
  readonly createdAt: Date;
  readonly id: string;
}

const COLUMNS = `id, subject_id as "eventId", type, number::int as sequence, state, attempts, status_code as "statusCode", fault,
  created_at as "createdAt", next_at as "nextAt", delivered_at as "deliveredAt"`;
/** A cursor has milliseconds. */
const MADE_AT = `date_trunc('milliseconds', created_at)`;
const LIST = `select ${COLUMNS} from webhook_deliveries
  where webhook_id = $1 and organization_id = $2 and environment = $3 and ($4::text is null or state = $4)
    and ($5::timestamptz is null or (${MADE_AT}, id) < ($5, $6::uuid)) order by ${MADE_AT} desc, id desc limit $7`;
const FIND = `select ${COLUMNS}, body from webhook_deliveries where id = $1 and webhook_id = $2 and organization_id = $3 and environment = $4`;
const ATTEMPTS = `select at, status_code as "statusCode", fault, duration_ms as "durationMs", delivered, answer from webhook_attempts
  where delivery_id = $1 order by id`;
const REPLAY = `with endpoint as (${heldEndpoint(WEBHOOK_QUEUE, 1)}) update webhook_deliveries set state = 'waiting', next_at = sutura_now(), failures = 0, refusals = 0, parked_for = null,
    status_code = null, duration_ms = null, answer = null, history = ${sentAgain(WEBHOOK_QUEUE, '$6::text')}
  from endpoint where webhook_id = endpoint.id and organization_id = $2 and environment = $3 and state in ('delivered', 'parked')
    and created_at >= $4 and ($5::timestamptz is null or created_at < $5)`;

/** Deliveries as the owners of their endpoints see them: each statement is about one tenant. */
@Injectable()
export class DeliveryLog {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Newest first. */
  list(
    tenant: Tenant,
    webhookId: string,
    state: DeliveryState | null,
    limit: number,
    after: DeliveryCursor | null,
  ): Promise<DeliveryRecord[]> {
    return this.inTenant(tenant, async (run, of) => {
      const place = [after?.createdAt ?? null, after?.id ?? null];
      return (await run<DeliveryRecord>(LIST, [webhookId, ...of, state, ...place, limit])).rows;
    });
  }

  /** With its body and its attempts, oldest first. `webhook.delivery_not_found`. */
  find(
    tenant: Tenant,
    webhookId: string,
    id: string,
  ): Promise<{ readonly record: DeliveryRecord; readonly body: Buffer; readonly attempts: readonly AttemptRecord[] }> {
    return this.inTenant(tenant, async (run, of) => {
      const ids = [id, webhookId];
      const row = ids.every(isCanonicalUuid)
        ? (await run<DeliveryRecord & { readonly body: Buffer }>(FIND, [...ids, ...of])).rows[0]
        : undefined;
      if (row === undefined) throw new SuturaError('webhook.delivery_not_found');
      const { body, ...record } = row;
      const { rows } = await run<Omit<AttemptRecord, 'answer'> & { readonly answer: Buffer | null }>(ATTEMPTS, [id]);
      const attempts = rows.map((attempt) => ({ ...attempt, answer: attempt.answer?.toString('utf8') ?? null }));
      return { record, body, attempts };
    });
  }

  /** Sends again, in their order, what was delivered or parked of that time. Answers how many. `by`: who does it. */
  replay(tenant: Tenant, webhookId: string, by: string, since: Date, until: Date | null): Promise<number> {
    return this.inTenant(tenant, async (run, of) => {
      const { affected } = await run(REPLAY, [webhookId, ...of, since, until, by]);
      if (affected > 0) await run('select pg_notify($1, $2)', [WEBHOOK_QUEUE.channel, webhookId]);
      return affected;
    });
  }

  private inTenant<T>(
    tenant: Tenant,
    work: (run: ReturnType<typeof statementsOf>['run'], of: readonly [string, string]) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.inTenant(tenant, (transaction: TenantTransaction) => {
      const statements = statementsOf(transaction);
      return work((sql, values) => statements.run(sql, values), [tenant.organizationId, tenant.environment]);
    });
  }
}
