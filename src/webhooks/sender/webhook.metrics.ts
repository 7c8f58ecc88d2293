import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DeliveryMetrics, type EndpointHealth } from '../../deliveries/index.js';
import { MetricReading } from '../../platform/health/metric-reading.js';
import { labelledGaugeOf } from '../../platform/health/shared-metrics.js';
import { WebhookDeliveries } from '../queue/webhook-deliveries.js';

/** Figures of webhooks, by the id of the endpoint. */
@Injectable()
export class WebhookMetrics extends DeliveryMetrics implements OnModuleInit {
  private readonly health: MetricReading<readonly EndpointHealth[]>;

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
      },
      () => deliveries.backlog(),
    );
    this.health = new MetricReading(() => deliveries.health());
  }

  override onModuleInit(): void {
    super.onModuleInit();
    labelledGaugeOf(
      'sutura_webhook_disabled',
      '1 where the service disabled a webhook: it answered 410, or failed for five days',
      ['webhook'],
      async () =>
        ((await this.health.latest()) ?? []).map(({ id, disabled }) => ({
          labels: { webhook: id },
          value: Number(disabled),
        })),
    );
  }
}
