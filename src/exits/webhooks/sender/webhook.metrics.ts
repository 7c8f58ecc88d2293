import { Injectable } from '@nestjs/common';
import { DeliveryMetrics } from '../../kit/index.js';
import { WebhookDeliveries } from '../queue/webhook-deliveries.js';

/** Figures of webhooks, by the id of the endpoint. */
@Injectable()
export class WebhookMetrics extends DeliveryMetrics {
  constructor(deliveries: WebhookDeliveries) {
    super(
      {
        label: 'webhook',
        attempts: {
          name: 'sutura_webhook_attempts_total',
          help: 'Attempts to deliver a webhook, by endpoint and status of the answer',
        },
        oldest: {
          name: 'sutura_webhook_oldest_seconds',
          help: 'Age of the oldest event that waits for its webhook; alarm on this',
        },
        deliveries: {
          name: 'sutura_webhook_deliveries',
          help: 'Events that wait for their webhook, or are parked',
        },
        disabled: {
          name: 'sutura_webhook_disabled',
          help: '1 where the service disabled a webhook: it answered 410, or failed for five days',
        },
      },
      deliveries,
    );
  }
}
