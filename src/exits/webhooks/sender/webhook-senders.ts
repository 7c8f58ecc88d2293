import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SENDER_TIMINGS, SenderPool, SenderTimings, WEBHOOK_PAUSES_MS } from '../../kit/index.js';
import { Settings } from '../../../platform/config/settings.js';
import { NotificationListener } from '../../../platform/database/notification-listener.js';
import { WebhookRegister } from '../endpoints/webhook-register.js';
import type { Webhook } from '../endpoints/webhook.js';
import { WebhookDeliveries } from '../queue/webhook-deliveries.js';
import { WEBHOOK_QUEUE, WebhookQueue, type WebhookColumns } from '../queue/webhook-queue.js';
import { WebhookReports } from './webhook-reports.js';
import { WebhookTransport, type WebhookAnswer, type WebhookEndpoint } from './webhook-transport.js';

/** What senders of webhooks wait for. Stands as an injection token; tests give shorter ones. */
export abstract class WebhookTimings extends SenderTimings {}

export const WEBHOOK_TIMINGS: WebhookTimings = {
  ...SENDER_TIMINGS,
  failurePausesMs: WEBHOOK_PAUSES_MS,
};

/** A sender for each endpoint that is neither paused nor disabled, in processes with the role `api`. */
@Injectable()
export class WebhookSenders
  extends SenderPool<WebhookEndpoint, WebhookColumns, WebhookAnswer>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly sends: boolean;

  constructor(
    register: WebhookRegister,
    deliveries: WebhookDeliveries,
    { handover }: WebhookQueue,
    transport: WebhookTransport,
    reports: WebhookReports,
    notifications: NotificationListener,
    timings: WebhookTimings,
    { process: { roles } }: Settings,
  ) {
    const endpoints = async () => (await register.sending()).map(toEndpoint);
    super(WEBHOOK_QUEUE.channel, { deliveries, transport, reports, notifications, endpoints, handover }, timings);
    this.sends = roles.includes('api');
  }

  override onApplicationBootstrap(): void {
    if (this.sends) super.onApplicationBootstrap();
  }
}

function toEndpoint(webhook: Webhook): WebhookEndpoint {
  const { id, url, schemes, former, keys } = webhook;
  return {
    id,
    webhook,
    collapse: false,
    ordering: 'endpoint',
    stopOnParked: false,
    // What an attempt is made of; keys are told apart and not shown.
    revision: JSON.stringify([url, schemes, keys.secret.toString('base64'), former.map(({ until }) => until)]),
  };
}
