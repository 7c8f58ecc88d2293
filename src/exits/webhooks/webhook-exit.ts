import { Injectable } from '@nestjs/common';
import type {
  DeliveryExit,
  EndpointFilter,
  EndpointTrial,
  ExitDelivery,
  ExitEndpoint,
} from '../../core/deliveries/delivery-exit.js';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { stateOf, type Webhook } from './endpoints/webhook.js';
import { HttpExitDeliveries } from '../http/index.js';
import { WEBHOOK_QUEUE } from './queue/webhook-queue.js';
import { WebhookService } from './webhook.service.js';

/** Webhooks as operators see them. */
@Injectable()
export class WebhookExit extends HttpExitDeliveries implements DeliveryExit {
  constructor(
    statements: SystemStatements,
    private readonly webhooks: WebhookService,
  ) {
    super('webhook', WEBHOOK_QUEUE, statements);
  }

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

  replay(delivery: ExitDelivery, by: string): Promise<void> {
    return this.webhooks.act('replay', delivery, delivery.endpointId, delivery.id, by);
  }

  async requeue(delivery: ExitDelivery, by: string): Promise<null> {
    await this.webhooks.requeue(delivery, by);
    return null;
  }

  replayRange(endpoint: ExitEndpoint, by: string, since: Date, until: Date | null): Promise<number> {
    return this.webhooks.replayAll(endpoint, endpoint.id, by, since, until);
  }

  park(delivery: ExitDelivery, by: string): Promise<void> {
    return this.webhooks.act('park', delivery, delivery.endpointId, delivery.id, by);
  }

  discard(delivery: ExitDelivery, by: string): Promise<void> {
    return this.webhooks.act('discard', delivery, delivery.endpointId, delivery.id, by);
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
    const failing = webhook.failingSince === null ? {} : { failingSince: webhook.failingSince };
    return { ...owned, ...(trouble === null ? {} : { trouble }), ...failing };
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
