import { Injectable } from '@nestjs/common';
import type { DueDelivery, Outcome, SenderReports } from '../kit/index.js';
import { Logger } from '../../platform/logging/logger.js';
import type { NotificationColumns } from './subscription-queue.js';
import type { NotificationAnswer, SubscriptionEndpoint } from './subscription-transport.js';
import { SubscriptionMetrics } from './subscription.metrics.js';

/** Log lines and figures of the senders: codes and ids alone. */
@Injectable()
export class SubscriptionReports implements SenderReports<
  SubscriptionEndpoint,
  NotificationColumns,
  NotificationAnswer
> {
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

  /** `said`: the status of the answer, or why there was none. */
  heartbeat(subscriptionId: string, reached: boolean, said: string): void {
    this.metrics.attempted(subscriptionId, /^\d+$/.test(said) ? said : 'none');
    if (!reached) this.logger.warn('subscription.heartbeat_refused', { subscriptionId, code: said });
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
