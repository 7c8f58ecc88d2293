import type { Settings } from '../../../platform/config/settings.js';
import type { NotificationListener } from '../../../platform/database/notification-listener.js';
import { HttpSenders, type HttpTimings } from '../../http/index.js';
import type { WebhookRegister } from '../endpoints/webhook-register.js';
import type { Webhook } from '../endpoints/webhook.js';
import type { WebhookDeliveries } from '../queue/webhook-deliveries.js';
import { WEBHOOK_QUEUE, type WebhookColumns, type WebhookQueue } from '../queue/webhook-queue.js';
import type { WebhookReports } from './webhook-reports.js';
import type { WebhookEndpoint, WebhookTransport } from './webhook-transport.js';

interface WebhookPorts {
  readonly register: WebhookRegister;
  readonly queue: WebhookQueue;
  readonly deliveries: WebhookDeliveries;
  readonly transport: WebhookTransport;
  readonly reports: WebhookReports;
  readonly notifications: NotificationListener;
}

/** A sender for each endpoint that is neither paused nor disabled. */
export class WebhookSenders extends HttpSenders<Webhook, WebhookColumns> {
  constructor(
    { register, queue: { handover }, ...ports }: WebhookPorts,
    timings: HttpTimings,
    roles: Settings['process']['roles'],
  ) {
    const endpoints = async () => (await register.sending()).map(toEndpoint);
    super(WEBHOOK_QUEUE.channel, { ...ports, endpoints, handover }, timings, roles);
  }
}

function toEndpoint(webhook: Webhook): WebhookEndpoint {
  const { id, url, schemes, former, keys } = webhook;
  return {
    id,
    target: webhook,
    collapse: false,
    ordering: 'endpoint',
    stopOnParked: false,
    // What an attempt is made of; keys are told apart and not shown.
    revision: JSON.stringify([url, schemes, keys.secret.toString('base64'), former.map(({ until }) => until)]),
  };
}
