import { Module, type Provider } from '@nestjs/common';
import {
  EndpointCaller,
  HTTP_TIMINGS,
  HttpTimings,
  OrganizationNetworks,
  type CallRules,
} from '../../exits/http/index.js';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { NotificationListener } from '../../platform/database/notification-listener.js';
import { AddressGuard, networksOf } from '../../platform/http-client/address-guard.js';
import { R4Definitions } from '../../standards/fhir/definitions/r4-definitions.js';
import { ResourceXml } from '../../standards/fhir/xml/resource-xml.js';
import { FhirProjectionModule } from './fhir-projection.module.js';
import { DocumentsInNotifications } from './projection/documents-in-notifications.js';
import { SubscriptionVersions } from './projection/subscription-versions.js';
import { SubscriptionEvents } from './projection/subscription-events.handler.js';
import { NotificationDocuments } from '../../exits/subscriptions/notification-documents.js';
import { SubscriptionControl } from '../../exits/subscriptions/subscription-control.js';
import { SubscriptionDeliveries } from '../../exits/subscriptions/subscription-deliveries.js';
import { SubscriptionExit } from '../../exits/subscriptions/subscription-exit.js';
import { SubscriptionHeartbeat } from '../../exits/subscriptions/subscription-heartbeat.js';
import { SubscriptionHeartbeats } from '../../exits/subscriptions/subscription-heartbeats.js';
import { SubscriptionHistory } from '../../exits/subscriptions/subscription-history.js';
import { SubscriptionQueue } from '../../exits/subscriptions/subscription-queue.js';
import { SubscriptionRegister } from '../../exits/subscriptions/subscription-register.js';
import { SubscriptionReports } from '../../exits/subscriptions/subscription-reports.js';
import { SubscriptionSenders } from '../../exits/subscriptions/subscription-senders.js';
import { SubscriptionService } from '../../exits/subscriptions/subscription-service.js';
import { SubscriptionTransport } from '../../exits/subscriptions/subscription-transport.js';
import { SubscriptionMetrics } from '../../exits/subscriptions/subscription.metrics.js';

/** Where a Subscription says nothing else (`backport-timeout`). */
const TIMEOUT_MS = 20_000;

/** For commands, which send nothing but trials. */
const SHARED: Provider[] = [
  OrganizationNetworks,
  bind(EndpointCaller, from(Settings, callRules), OrganizationNetworks),
  SubscriptionQueue,
  SubscriptionRegister,
  SubscriptionControl,
  SubscriptionTransport,
  SubscriptionExit,
];
const PROVIDERS: Provider[] = [
  ...SHARED,
  { provide: NotificationDocuments, useClass: DocumentsInNotifications },
  SubscriptionService,
  SubscriptionDeliveries,
  SubscriptionMetrics,
  SubscriptionReports,
  { provide: HttpTimings, useValue: HTTP_TIMINGS },
  bind(
    SubscriptionSenders,
    {
      register: SubscriptionRegister,
      deliveries: SubscriptionDeliveries,
      transport: SubscriptionTransport,
      reports: SubscriptionReports,
      notifications: NotificationListener,
    },
    HttpTimings,
    from(Settings, ({ process }: Settings) => process.roles),
  ),
  SubscriptionHeartbeat,
  SubscriptionHeartbeats,
  SubscriptionHistory,
  SubscriptionVersions,
  SubscriptionEvents,
];

/** FHIR Subscriptions. Every process makes their notifications, as every process relays events; those with the role `api` send them. */
@Module({
  imports: [FhirProjectionModule],
  providers: PROVIDERS,
  exports: [
    SubscriptionService,
    SubscriptionRegister,
    SubscriptionHistory,
    SubscriptionControl,
    SubscriptionEvents,
    SubscriptionSenders,
  ],
})
export class FhirSubscriptionsModule {}

/** Commands send handshakes alone, which have no documents. */
const NO_DOCUMENTS: NotificationDocuments = { fill: (_tenant, notification) => Promise.resolve(notification) };

/** The providers of commands. */
@Module({
  providers: [
    ...SHARED,
    bind(R4Definitions),
    bind(ResourceXml, R4Definitions),
    { provide: NotificationDocuments, useValue: NO_DOCUMENTS },
  ],
  exports: [SubscriptionExit],
})
export class SubscriptionCommandsModule {}

function callRules({ deliveries }: Settings): CallRules {
  return { guard: new AddressGuard(networksOf(deliveries.networks)), timeoutMs: TIMEOUT_MS };
}
