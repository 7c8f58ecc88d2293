import { Module, type DynamicModule } from '@nestjs/common';
import { ApiV1Module } from '../doors/native/api-v1.module.js';
import { LateImagesModule } from '../events/late-images/late-images.module.js';
import { RetentionModule } from '../events/retention/retention.module.js';
import { OutboxRelayModule } from '../events/outbox/outbox-relay.module.js';
import { CdsModule } from '../doors/cds/cds.module.js';
import { FhirErasureModule, FhirTablesModule } from '../doors/fhir/fhir-tables.module.js';
import { FhirProjectionModule } from '../doors/fhir/fhir-projection.module.js';
import { FhirSubscriptionsModule } from '../doors/fhir/fhir-subscriptions.module.js';
import { FhirModule } from '../doors/fhir/fhir.module.js';
import { Hl7ErasureModule, Hl7Module, Hl7OutboundModule } from './hl7v2.module.js';
import { AdminModule } from '../doors/admin/admin.module.js';
import { PublishedKeysModule } from '../ehrs/index.js';
import { SmartLaunchModule } from '../doors/smart/smart-launch.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { OidcModule } from '../doors/admin/session/oidc.module.js';
import { SmartModule } from '../identity/smart/smart.module.js';
import { InferenceQueueModule, WorkerModule } from '../inference/index.js';
import type { InferencePool } from '../inference/worker/inference-pool.js';
import type { Settings } from '../platform/config/settings.js';
import { RecordsModule } from '../records/records.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import type { Logger } from '../platform/logging/logger.js';
import { PlatformModule } from '../platform/platform.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { UploadModule } from '../storage/upload/upload.module.js';
import { DocsModule } from '../web-pages/docs.module.js';
import { PagesModule } from '../web-pages/pages.module.js';
import { EhrPushModule } from '../exits/ehr/index.js';
import { WebhooksModule } from '../exits/webhooks/index.js';
import { AuditArchivesModule } from './audit-archives.module.js';
import { CoreModule } from './core.module.js';
import { EhrsModule } from './ehrs.module.js';
import { ErasureModule } from './erasure.module.js';
import { HeldModule, SettledModule } from './held.module.js';
import { Hl7RecordsModule } from './hl7-records.module.js';
import { ExitsModule } from './exits.module.js';
import { LaunchModule } from './launch.module.js';
import { FailuresModule } from './failures.module.js';
import { ProcessReportsModule, StandingModule } from './standing.module.js';
import { TraceModule } from './trace.module.js';
import { UsersModule } from './users.module.js';

/** By which EHRs come in: keys that they read, cards that they ask for, launches. */
const EHR_DOORS = [PublishedKeysModule, CdsModule.register(LaunchModule), SmartLaunchModule.register(LaunchModule)];

/** What the admin API works with, besides the global modules. */
const ASKED_BY_ADMIN = [TraceModule, ExitsModule, ErasureModule, WebhooksModule, StandingModule, FailuresModule];

/**
 * The gateway: a door or an exit is one folder and one line here. Its handlers of domain events (DomainEventHandler) and its
 * readiness probes (ReadinessProbe) are found among the providers of these modules.
 */
@Module({})
export class AppModule {
  /** `inference`: the processes that were started ahead, in a process with the role `worker`. */
  static register(settings: Settings, logger: Logger, databaseUrl: string, inference?: InferencePool): DynamicModule {
    const roles = settings.process.roles;
    const api = roles.includes('api');
    const queue = InferenceQueueModule.register(settings);
    const health = HealthModule.register(settings);
    const results = Hl7OutboundModule.register(settings, StorageModule);
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(settings, logger),
        RecordsModule.register(databaseUrl),
        HttpModule,
        CoreModule,
        AuditArchivesModule,
        UsersModule,
        HeldModule,
        EhrsModule,
        IdentityModule,
        Hl7RecordsModule,
        health,
        ProcessReportsModule.register(health),
        OutboxRelayModule,
        queue,
        ReportsModule,
        LateImagesModule,
        RetentionModule.register(ErasureModule, Hl7ErasureModule, FhirErasureModule),
        FhirProjectionModule,
        FhirSubscriptionsModule,
        SettledModule,
        results,
        WebhooksModule,
        EhrPushModule.register(ReportsModule, StorageModule, FhirTablesModule),
        ...(roles.includes('worker') ? [WorkerModule.register([queue, StorageModule], inference)] : []),
        ...(api || roles.includes('hl7') ? [Hl7Module.register(settings, results)] : []),
        ...(api
          ? [
              ApiV1Module,
              FhirModule.register(StorageModule, settings.fhir.erase ? ErasureModule : null),
              AdminModule.register(...ASKED_BY_ADMIN),
              OidcModule,
              SmartModule,
              ...EHR_DOORS,
              UploadModule,
              DocsModule,
              ...(settings.console.isOn ? [PagesModule] : []),
            ]
          : []),
      ],
    };
  }
}
