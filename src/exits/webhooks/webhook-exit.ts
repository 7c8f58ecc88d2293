import { Injectable } from '@nestjs/common';
import type {
  DeliveryExit,
  DeliveryFilter,
  EndpointFilter,
  EndpointTrial,
  ExitDelivery,
  ExitEndpoint,
  FoundDelivery,
} from '../../core/deliveries/delivery-exit.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { stateOf, type Webhook } from './endpoints/webhook.js';
import { DeliveryLog } from './queue/delivery-log.js';
import { WebhookService } from './webhook.service.js';

const COLUMNS = `id, webhook_id as "endpointId", organization_id as "organizationId", environment, type, state, attempts,
  coalesce(fault, case when state <> 'delivered' then status_code::text end) as fault, created_at as "createdAt",
  case when state = 'waiting' then next_at end as "nextAt", delivered_at as "deliveredAt"`;
const NAMED = `select ${COLUMNS} from webhook_deliveries where id = $1`;
const LIST = `select ${COLUMNS} from webhook_deliveries where ($1::uuid is null or webhook_id = $1)
  and ($2::uuid is null or organization_id = $2) and ($3::text is null or environment = $3) and ($4::text is null or state = $4)
  order by id desc limit $5`;

type Row = Omit<ExitDelivery, 'exit'>;

/** Webhooks as operators see them. */
@Injectable()
export class WebhookExit implements DeliveryExit {
  readonly name = 'webhook';

  constructor(
    private readonly statements: SystemStatements,
    private readonly webhooks: WebhookService,
    private readonly log: DeliveryLog,
  ) {}

  async endpoint(id: string): Promise<ExitEndpoint | null> {
    try {
      return this.shown(await this.webhooks.register.findAnywhere(id));
    } catch (fault) {
      if (isSuturaError(fault, 'webhook.not_found')) return null;
      throw fault;
    }
  }

  async endpoints(filter: EndpointFilter): Promise<ExitEndpoint[]> {
    return (await this.webhooks.register.anywhere(filter)).map((webhook) => this.shown(webhook));
  }

  async named(id: string): Promise<ExitDelivery | null> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row>(NAMED, [id])).rows[0] : undefined;
    return row === undefined ? null : { exit: this.name, ...row };
  }

  async find(id: string): Promise<FoundDelivery | null> {
    const delivery = await this.named(id);
    if (delivery === null) return null;
    const { body, attempts } = await this.log.find(delivery, delivery.endpointId, id);
    const log = attempts.map(({ at, delivered, statusCode, fault }) => ({
      at,
      delivered,
      fault,
      answer: statusCode === null ? null : String(statusCode),
    }));
    return { delivery, body: body.toString('utf8'), log };
  }

  async list(
    { endpointId, organizationId, environment, state }: DeliveryFilter,
    limit: number,
  ): Promise<ExitDelivery[]> {
    if ([endpointId, organizationId].some((id) => id !== undefined && !isCanonicalUuid(id))) return [];
    const wanted = [endpointId, organizationId, environment, state].map((value) => value ?? null);
    return (await this.statements.run<Row>(LIST, [...wanted, limit])).rows.map((row) => ({ exit: this.name, ...row }));
  }

  replay(delivery: ExitDelivery): Promise<void> {
    return this.webhooks.replay(delivery, delivery.endpointId, delivery.id);
  }

  replayRange(endpoint: ExitEndpoint, since: Date, until: Date | null): Promise<number> {
    return this.webhooks.replayAll(endpoint, endpoint.id, since, until);
  }

  park(delivery: ExitDelivery): Promise<void> {
    return this.webhooks.park(delivery, delivery.endpointId, delivery.id);
  }

  discard(delivery: ExitDelivery): Promise<void> {
    return this.webhooks.discard(delivery, delivery.endpointId, delivery.id);
  }

  async pause(endpoint: ExitEndpoint): Promise<void> {
    await this.webhooks.register.pause(endpoint, endpoint.id);
  }

  async resume(endpoint: ExitEndpoint): Promise<void> {
    await this.webhooks.register.resume(endpoint, endpoint.id);
  }

  async test(endpoint: ExitEndpoint): Promise<EndpointTrial> {
    const { delivered, statusCode, fault } = await this.webhooks.test(endpoint, endpoint.id);
    return { reached: delivered, said: fault ?? String(statusCode) };
  }

  private shown(webhook: Webhook): ExitEndpoint {
    const { id, organizationId, environment, url } = webhook;
    const trouble = troubleOf(webhook);
    const owned = { id, organizationId, environment, exit: this.name, address: url, state: stateOf(webhook) };
    return { ...owned, ...(trouble === null ? {} : { trouble }) };
  }
}

function troubleOf({ paused, disabled, failingSince }: Webhook): string | null {
  if (disabled?.reason === 'gone')
    return 'It answered 410 Gone, so that nothing more is sent. What is made waits until it is resumed.';
  if (disabled !== null)
    return 'It has failed for five days, so that nothing more is sent. What is made waits until it is resumed.';
  if (paused) return 'It is held back by a person. What is made waits until it is resumed.';
  return failingSince === null ? null : 'Its last deliveries failed. They are tried again.';
}
