import { Injectable } from '@nestjs/common';
import { SubscriptionDeliveries } from './subscription-deliveries.js';
import { SubscriptionQueue } from './subscription-queue.js';
import { SubscriptionReports } from './subscription-reports.js';
import { SubscriptionTransport } from './subscription-transport.js';
import type { KeptSubscription } from './subscription.js';

/** One heartbeat: no event, so that it has no number and is not repeated. 410 ends the Subscription as it does for a notification. */
@Injectable()
export class SubscriptionHeartbeat {
  constructor(
    private readonly queue: SubscriptionQueue,
    private readonly transport: SubscriptionTransport,
    private readonly deliveries: SubscriptionDeliveries,
    private readonly reports: SubscriptionReports,
  ) {}

  async send(subscription: KeptSubscription, signal: AbortSignal): Promise<void> {
    const trial = await this.transport.ping(subscription, this.queue.heartbeatOf(subscription), signal);
    this.reports.heartbeat(subscription.id, trial);
    if (trial.status !== null) await this.deliveries.answered(subscription.id, trial.status);
  }
}
