import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import type { DueDelivery } from '../../kit/index.js';
import {
  EndpointCaller,
  HttpTransport,
  signaturesOf,
  type HttpEndpoint,
  type SignedRequests,
} from '../../http/index.js';
import { signingKeysOf, type Webhook } from '../endpoints/webhook.js';
import type { WebhookColumns } from '../queue/webhook-queue.js';

export type WebhookEndpoint = HttpEndpoint<Webhook>;

/** Webhooks over HTTP. The id of a message is that of its event. */
@Injectable()
export class WebhookTransport extends HttpTransport<Webhook, WebhookColumns> {
  constructor(caller: EndpointCaller, clock: Clock) {
    super(caller, clock);
  }

  protected requestsTo(webhook: Webhook, now: Date): SignedRequests {
    return {
      organizationId: webhook.organizationId,
      url: webhook.url,
      headers: { 'content-type': 'application/json', 'user-agent': 'Sutura-Webhooks/1.0' },
      sign: (content) => signaturesOf(content, webhook.schemes, signingKeysOf(webhook, now)),
    };
  }

  protected messageIdOf({ subjectId }: DueDelivery<WebhookColumns>): string {
    return subjectId;
  }
}
