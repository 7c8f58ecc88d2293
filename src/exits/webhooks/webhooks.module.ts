import { Module, type Provider } from '@nestjs/common';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { NotificationListener } from '../../platform/database/notification-listener.js';
import { AddressGuard, networksOf } from '../../platform/http-client/address-guard.js';
import { WebhookRegister } from './endpoints/webhook-register.js';
import { AnalysisEvents } from './events/analysis-events.js';
import { QuotaEvents } from './events/quota-events.js';
import { WebhookEventReader } from './events/webhook-event-reader.js';
import { WebhookEvents } from './events/webhook-events.handler.js';
import { WebhookExit } from './webhook-exit.js';
import { DeliveryLog } from './queue/delivery-log.js';
import { EventMessenger } from './queue/event-messenger.js';
import { HealthChanges } from './queue/health-changes.js';
import { WebhookDeliveries } from './queue/webhook-deliveries.js';
import { WebhookControl, WebhookQueue } from './queue/webhook-queue.js';
import { WebhookRemoval } from './queue/webhook-removal.js';
import { EndpointCaller, HTTP_TIMINGS, HttpTimings, OrganizationNetworks, type CallRules } from '../http/index.js';
import { WebhookReports } from './sender/webhook-reports.js';
import { WebhookSenders } from './sender/webhook-senders.js';
import { WebhookTransport } from './sender/webhook-transport.js';
import { WebhookMetrics } from './sender/webhook.metrics.js';
import { WebhookTrialSender } from './webhook-trial-sender.js';
import { WebhookService } from './webhook.service.js';

/** Time-out of an attempt (Standard Webhooks: 15 to 30 s). */
const TIMEOUT_MS = 20_000;

/** For commands, which send nothing but trials. */
const SHARED: Provider[] = [
  WebhookRegister,
  WebhookQueue,
  WebhookControl,
  WebhookRemoval,
  DeliveryLog,
  OrganizationNetworks,
  bind(EndpointCaller, from(Settings, callRules), OrganizationNetworks),
  WebhookTransport,
  WebhookTrialSender,
  WebhookService,
  WebhookExit,
];
const PROVIDERS: Provider[] = [
  ...SHARED,
  EventMessenger,
  HealthChanges,
  WebhookDeliveries,
  AnalysisEvents,
  QuotaEvents,
  WebhookEventReader,
  WebhookEvents,
  WebhookMetrics,
  WebhookReports,
  { provide: HttpTimings, useValue: HTTP_TIMINGS },
  bind(
    WebhookSenders,
    {
      register: WebhookRegister,
      queue: WebhookQueue,
      deliveries: WebhookDeliveries,
      transport: WebhookTransport,
      reports: WebhookReports,
      notifications: NotificationListener,
    },
    HttpTimings,
    from(Settings, ({ process }: Settings) => process.roles),
  ),
];

/** Webhooks. Every process makes their deliveries, as every process relays events; those with the role `api` send them. */
@Module({ providers: PROVIDERS, exports: [WebhookService, WebhookExit, WebhookEvents, WebhookSenders] })
export class WebhooksModule {}

/** The providers of commands. */
@Module({ providers: SHARED, exports: [WebhookService, WebhookExit] })
export class WebhookCommandsModule {}

function callRules({ deliveries }: Settings): CallRules {
  return { guard: new AddressGuard(networksOf(deliveries.networks)), timeoutMs: TIMEOUT_MS };
}
