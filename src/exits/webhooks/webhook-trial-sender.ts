import { Injectable } from '@nestjs/common';
import { ClinicalClock } from '../../core/ports/clinical-clock.js';
import { IdSource } from '../../core/ports/id-source.js';
import type { Webhook } from './endpoints/webhook.js';
import { WebhookTransport } from './sender/webhook-transport.js';

/** Outcome of one signed request that was made to see whether the endpoint answers. */
export interface WebhookTrial {
  readonly delivered: boolean;
  readonly statusCode: number | null;
  /** Why there was no answer, as a code; null: there was one. */
  readonly fault: string | null;
  readonly durationMs: number;
}

/** Sends an event of the type `webhook.test`, past the queue. */
@Injectable()
export class WebhookTrialSender {
  constructor(
    private readonly transport: WebhookTransport,
    private readonly clock: ClinicalClock,
    private readonly ids: IdSource,
  ) {}

  async send(webhook: Webhook): Promise<WebhookTrial> {
    const timestamp = (await this.clock.nowOf(webhook)).toISOString();
    const body = Buffer.from(JSON.stringify({ type: 'webhook.test', timestamp, data: { webhookId: webhook.id } }));
    const { reached, status, fault, durationMs } = await this.transport.try(webhook, this.ids.next(), body);
    return { delivered: reached, statusCode: status, fault, durationMs };
  }
}
