import { Injectable } from '@nestjs/common';
import { DeliveryMetrics } from '../kit/index.js';
import { SubscriptionDeliveries } from './subscription-deliveries.js';

/** Figures of notifications, by the id of the Subscription. */
@Injectable()
export class SubscriptionMetrics extends DeliveryMetrics {
  constructor(deliveries: SubscriptionDeliveries) {
    super(
      {
        label: 'subscription',
        attempts: {
          name: 'sutura_subscription_attempts_total',
          help: 'Attempts to deliver a notification or a heartbeat of a FHIR Subscription, by Subscription and status of the answer',
        },
        oldest: {
          name: 'sutura_subscription_oldest_seconds',
          help: 'Age of the oldest notification that waits for its FHIR Subscription; alarm on this',
        },
        deliveries: {
          name: 'sutura_subscription_deliveries',
          help: 'Notifications that wait for their FHIR Subscription, or are parked',
        },
        disabled: {
          name: 'sutura_subscription_disabled',
          help: '1 where the service disabled a FHIR Subscription: it answered 410, or failed for five days',
        },
      },
      deliveries,
    );
  }
}
