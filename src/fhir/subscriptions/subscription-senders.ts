import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { IdSource } from '../../core/ports/id-source.js';
import {
  LoggedDeliveries,
  PLAIN_BODIES,
  SENDER_TIMINGS,
  SenderPool,
  SenderTimings,
  WEBHOOK_PAUSES_MS,
  type DisabledReason,
  type DueDelivery,
  type Outcome,
  type SenderReports,
} from '../../deliveries/index.js';
import { Settings } from '../../platform/config/settings.js';
import { NotificationListener } from '../../platform/database/notification-listener.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { Logger } from '../../platform/logging/logger.js';
import { SUBSCRIPTION_CHANNEL, SUBSCRIPTION_QUEUE, type NotificationColumns } from './subscription-queue.js';
import { SubscriptionRegister } from './subscription-register.js';
import { SubscriptionTransport, type NotificationAnswer, type SubscriptionEndpoint } from './subscription-transport.js';
import { SubscriptionMetrics } from './subscription.metrics.js';
import type { KeptSubscription } from './subscription.js';

/** Notifications as their senders use them; health goes into the log. */
@Injectable()
export class SubscriptionDeliveries extends LoggedDeliveries<NotificationColumns> {
  constructor(statements: SystemStatements, ids: IdSource, logger: Logger) {
    super(SUBSCRIPTION_QUEUE, statements, PLAIN_BODIES, ids, {
      disabled: (subscriptionId: string, reason: DisabledReason) => {
        logger.error('subscription.disabled', { subscriptionId, reason });
        return Promise.resolve();
      },
      recovered: (subscriptionId: string, deliveryId: string, failingSince: Date) => {
        logger.info('subscription.recovered', { subscriptionId, deliveryId, failingSince: failingSince.toISOString() });
        return Promise.resolve();
      },
    });
  }
}

/** Log lines and figures of the senders: codes and ids alone. */
@Injectable()
export class SubscriptionReports
  implements SenderReports<SubscriptionEndpoint, NotificationColumns, NotificationAnswer>
{
  constructor(
    private readonly logger: Logger,
    private readonly metrics: SubscriptionMetrics,
  ) {}

  attempted(
    { id: subscriptionId }: SubscriptionEndpoint,
    { id: deliveryId, type }: DueDelivery<NotificationColumns>,
    outcome: Outcome<NotificationAnswer>,
    verdict: 'delivered' | 'parked' | 'retry',
  ): void {
    this.metrics.attempted(subscriptionId, outcome.kind === 'silent' ? 'none' : String(outcome.answer.status));
    if (verdict === 'delivered') return;
    const code = outcome.kind === 'silent' ? outcome.fault : String(outcome.answer.status);
    const said = { subscriptionId, deliveryId, type, code };
    if (verdict === 'parked') this.logger.error('subscription.parked', said);
    else if (outcome.kind === 'answered') this.logger.warn('subscription.refused', said);
  }

  /** Bodies are not sealed. */
  sealed({ id: subscriptionId }: SubscriptionEndpoint, { id: deliveryId }: { readonly id: string }): void {
    this.logger.error('subscription.sealed', { subscriptionId, deliveryId });
  }

  silent(
    { id: subscriptionId }: SubscriptionEndpoint,
    { silentS, fault, isAlarm }: { silentS: number; fault: string; isAlarm: boolean },
  ): void {
    if (isAlarm) this.logger.error('subscription.silent', { subscriptionId, silentS, fault });
    else this.logger.warn('subscription.silent', { subscriptionId, silentS, fault });
  }

  answersAgain({ id: subscriptionId }: SubscriptionEndpoint, { silentS }: { silentS: number }): void {
    this.logger.info('subscription.answers_again', { subscriptionId, silentS });
  }

  senderFailed({ id: subscriptionId }: SubscriptionEndpoint, error: unknown): void {
    this.logger.error('subscription.sender_failed', { subscriptionId }, error);
  }

  endpointsUnknown(error: unknown): void {
    this.logger.warn('subscription.endpoints_unknown', { error: error instanceof Error ? error.name : 'unknown' });
  }
}

/** What senders of notifications wait for. Stands as an injection token; tests give shorter ones. */
export abstract class SubscriptionTimings extends SenderTimings {}

/** As webhooks: ten attempts over three days, then parked. */
export const SUBSCRIPTION_TIMINGS: SubscriptionTimings = { ...SENDER_TIMINGS, failurePausesMs: WEBHOOK_PAUSES_MS };

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
    ...{ id, subscription, collapse: false, ordering: 'endpoint', stopOnParked: false },
    revision: String(version),
  };
}
