import { Injectable } from '@nestjs/common';
import type { DueDelivery, Outcome, SenderReports } from '../../kit/index.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { WebhookColumns } from '../queue/webhook-queue.js';
import { WebhookMetrics } from './webhook.metrics.js';
import type { WebhookAnswer, WebhookEndpoint } from './webhook-transport.js';

/** Log lines and figures of the senders: codes and ids alone. */
@Injectable()
export class WebhookReports implements SenderReports<WebhookEndpoint, WebhookColumns, WebhookAnswer> {
  constructor(
    private readonly logger: Logger,
    private readonly metrics: WebhookMetrics,
  ) {}

  attempted(
    { id: webhookId }: WebhookEndpoint,
    { id: deliveryId, type }: DueDelivery<WebhookColumns>,
    outcome: Outcome<WebhookAnswer>,
    verdict: 'delivered' | 'parked' | 'retry',
  ): void {
    this.metrics.attempted(webhookId, outcome.kind === 'silent' ? 'none' : String(outcome.answer.status));
    if (verdict === 'delivered') return;
    const code = outcome.kind === 'silent' ? outcome.fault : String(outcome.answer.status);
    const said = { webhookId, deliveryId, type, code };
    if (verdict === 'parked') this.logger.error('webhook.parked', said);
    else if (outcome.kind === 'answered') this.logger.warn('webhook.refused', said);
  }

  /** Bodies are not sealed. */
  sealed({ id: webhookId }: WebhookEndpoint, { id: deliveryId }: WebhookColumns & { readonly id: string }): void {
    this.logger.error('webhook.sealed', { webhookId, deliveryId });
  }

  silent(
    { id: webhookId }: WebhookEndpoint,
    { silentS, fault, isAlarm }: { silentS: number; fault: string; isAlarm: boolean },
  ): void {
    if (isAlarm) this.logger.error('webhook.silent', { webhookId, silentS, fault });
    else this.logger.warn('webhook.silent', { webhookId, silentS, fault });
  }

  answersAgain({ id: webhookId }: WebhookEndpoint, { silentS }: { silentS: number }): void {
    this.logger.info('webhook.answers_again', { webhookId, silentS });
  }

  senderFailed({ id: webhookId }: WebhookEndpoint, error: unknown): void {
    this.logger.error('webhook.sender_failed', { webhookId }, error);
  }

  endpointsUnknown(error: unknown): void {
    this.logger.warn('webhook.endpoints_unknown', { error: error instanceof Error ? error.name : 'unknown' });
  }
}
