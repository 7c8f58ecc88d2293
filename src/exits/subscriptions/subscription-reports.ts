import { Injectable } from '@nestjs/common';
import { HttpReports, type HttpTrial } from '../http/index.js';
import { Logger } from '../../platform/logging/logger.js';
import type { NotificationColumns } from './subscription-queue.js';
import type { KeptSubscription } from './subscription.js';
import { SubscriptionMetrics } from './subscription.metrics.js';

@Injectable()
export class SubscriptionReports extends HttpReports<KeptSubscription, NotificationColumns> {
  constructor(logger: Logger, metrics: SubscriptionMetrics) {
    super(logger, metrics, {
      endpointId: 'subscriptionId',
      parked: 'subscription.parked',
      refused: 'subscription.refused',
      sealed: 'subscription.sealed',
      silent: 'subscription.silent',
      answersAgain: 'subscription.answers_again',
      senderFailed: 'subscription.sender_failed',
      endpointsUnknown: 'subscription.endpoints_unknown',
    });
  }

  heartbeat(subscriptionId: string, { reached, status, fault }: HttpTrial): void {
    this.metrics.attempted(subscriptionId, status === null ? 'none' : String(status));
    if (!reached) this.logger.warn('subscription.heartbeat_refused', { subscriptionId, code: fault ?? String(status) });
  }
}
