import { Injectable } from '@nestjs/common';
import { HttpReports } from '../../http/index.js';
import { Logger } from '../../../platform/logging/logger.js';
import type { WebhookColumns } from '../queue/webhook-queue.js';
import type { Webhook } from '../endpoints/webhook.js';
import { WebhookMetrics } from './webhook.metrics.js';

@Injectable()
export class WebhookReports extends HttpReports<Webhook, WebhookColumns> {
  constructor(logger: Logger, metrics: WebhookMetrics) {
    super(logger, metrics, {
      endpointId: 'webhookId',
      parked: 'webhook.parked',
      refused: 'webhook.refused',
      sealed: 'webhook.sealed',
      silent: 'webhook.silent',
      answersAgain: 'webhook.answers_again',
      senderFailed: 'webhook.sender_failed',
      endpointsUnknown: 'webhook.endpoints_unknown',
    });
  }
}
