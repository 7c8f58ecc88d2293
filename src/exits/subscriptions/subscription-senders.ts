import type { Settings } from '../../platform/config/settings.js';
import type { NotificationListener } from '../../platform/database/notification-listener.js';
import { HttpSenders, type HttpTimings } from '../http/index.js';
import type { SubscriptionDeliveries } from './subscription-deliveries.js';
import { SUBSCRIPTION_CHANNEL, type NotificationColumns } from './subscription-queue.js';
import type { SubscriptionRegister } from './subscription-register.js';
import type { SubscriptionReports } from './subscription-reports.js';
import type { SubscriptionEndpoint, SubscriptionTransport } from './subscription-transport.js';
import type { KeptSubscription } from './subscription.js';

interface SubscriptionPorts {
  readonly register: SubscriptionRegister;
  readonly deliveries: SubscriptionDeliveries;
  readonly transport: SubscriptionTransport;
  readonly reports: SubscriptionReports;
  readonly notifications: NotificationListener;
}

/** A sender for each subscription that is neither off nor disabled. */
export class SubscriptionSenders extends HttpSenders<KeptSubscription, NotificationColumns> {
  constructor({ register, ...ports }: SubscriptionPorts, timings: HttpTimings, roles: Settings['process']['roles']) {
    const endpoints = async () => (await register.sending()).map(toEndpoint);
    super(SUBSCRIPTION_CHANNEL, { ...ports, endpoints }, timings, roles);
  }
}

function toEndpoint(subscription: KeptSubscription): SubscriptionEndpoint {
  const { id, version } = subscription;
  return {
    id,
    target: subscription,
    collapse: false,
    ordering: 'endpoint',
    stopOnParked: false,
    waitsForFirst: true,
    revision: String(version),
  };
}
