import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SenderPool } from '../kit/index.js';
import { Settings } from '../../platform/config/settings.js';
import { NotificationListener } from '../../platform/database/notification-listener.js';
import { SubscriptionDeliveries } from './subscription-deliveries.js';
import { SUBSCRIPTION_CHANNEL, type NotificationColumns } from './subscription-queue.js';
import { SubscriptionRegister } from './subscription-register.js';
import { SubscriptionReports } from './subscription-reports.js';
import { SubscriptionTimings } from './subscription-timings.js';
import { SubscriptionTransport, type NotificationAnswer, type SubscriptionEndpoint } from './subscription-transport.js';
import type { KeptSubscription } from './subscription.js';

/** A sender for each subscription that is neither off nor disabled, in processes with the role `api`. */
@Injectable()
export class SubscriptionSenders
  extends SenderPool<SubscriptionEndpoint, NotificationColumns, NotificationAnswer>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly sends: boolean;

  constructor(
    register: SubscriptionRegister,
    deliveries: SubscriptionDeliveries,
    transport: SubscriptionTransport,
    reports: SubscriptionReports,
    notifications: NotificationListener,
    timings: SubscriptionTimings,
    { process: { roles } }: Settings,
  ) {
    const endpoints = async () => (await register.sending()).map(toEndpoint);
    super(SUBSCRIPTION_CHANNEL, { deliveries, transport, reports, notifications, endpoints }, timings);
    this.sends = roles.includes('api');
  }

  override onApplicationBootstrap(): void {
    if (this.sends) super.onApplicationBootstrap();
  }
}

function toEndpoint(subscription: KeptSubscription): SubscriptionEndpoint {
  const { id, version } = subscription;
  return {
    id,
    subscription,
    collapse: false,
    ordering: 'endpoint',
    stopOnParked: false,
    waitsForFirst: true,
    revision: String(version),
  };
}
