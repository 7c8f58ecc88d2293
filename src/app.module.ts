import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ApiV1Module } from './api-v1/api-v1.module.js';
import { CoreModule } from './core.module.js';
import type { DomainEventHandler } from './core/ports/outbox.js';
import { ArrivalsModule } from './events/arrivals/arrivals.module.js';
import { ArrivedImageHandler } from './events/arrivals/arrived-image.handler.js';
import { OutboxRelayModule } from './events/outbox/outbox-relay.module.js';
import { FhirModule } from './fhir/fhir.module.js';
import { FhirPhotoModule } from './fhir/fhir-photo.module.js';
import { FhirProjectionModule } from './fhir/fhir-projection.module.js';
import { PhotoFollower } from './fhir/intake/photo-follower.handler.js';
import { FhirProjectionHandler } from './fhir/projection/index.js';
import { Hl7RecordsModule } from './hl7-records.module.js';
import { Hl7Module, Hl7OutboundModule } from './hl7v2/hl7v2.module.js';
import { ListenerProbe } from './hl7v2/inbox/index.js';
import { ResultMessenger } from './hl7v2/outbound/index.js';
import { AdminModule } from './identity/admin/admin.module.js';
import { IdentityModule } from './identity/identity.module.js';
import type { InferencePool } from './inference/worker/inference-pool.js';
import { InferenceQueueModule, QueuedAnalysisHandler, WorkerModule, WorkerProbe } from './inference/index.js';
import type { Settings } from './platform/config/settings.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import type { ReadinessProbe } from './platform/health/readiness.js';
import { HttpModule } from './platform/http/http.module.js';
import type { Logger } from './platform/logging/logger.js';
import { PlatformModule } from './platform/platform.module.js';
import { ReportAssemblyHandler } from './reports/assemble/report-assembly.handler.js';
import { ReportsModule } from './reports/reports.module.js';
import { TraceModule } from './trace.module.js';
import { StorageProbe } from './storage/drivers/storage.probe.js';
import { StorageModule } from './storage/drivers/storage.module.js';
import { UploadModule } from './storage/upload/upload.module.js';
import { DatabaseProbe } from './platform/database/database.probe.js';
import { FreeSpaceProbe, usesDataFolder } from './platform/health/free-space.probe.js';

/** The composition: the only file that names every module. A new door or exit is one folder and one line here. */
@Module({})
export class AppModule {
  /** `inference`: processes that were started ahead, where this process has the role `worker`. */
  static register(settings: Settings, logger: Logger, databaseUrl: string, inference?: InferencePool): DynamicModule {
    const roles = settings.environment.SUTURA_ROLES;
    const api = roles.includes('api');
    const worker = roles.includes('worker');
    const hl7 = roles.includes('hl7');
    const results = Hl7OutboundModule.register(settings, StorageModule);
    const queue = InferenceQueueModule.register(settings);
    const handlers: Type<DomainEventHandler>[] = [QueuedAnalysisHandler, ReportAssemblyHandler, ArrivedImageHandler, PhotoFollower, FhirProjectionHandler, ResultMessenger];
    const probes: Type<ReadinessProbe>[] = [DatabaseProbe, StorageProbe, ...(usesDataFolder(settings) ? [FreeSpaceProbe] : []), ...(worker ? [WorkerProbe] : []), ...(hl7 ? [ListenerProbe] : [])];
    const hl7Module = api || hl7 ? [Hl7Module.register(settings, results)] : [];
    const workerModule = worker ? [WorkerModule.register([queue, StorageModule], inference)] : [];
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(settings, logger),
        DatabaseModule.register(databaseUrl),
        HttpModule,
        CoreModule,
        IdentityModule,
        Hl7RecordsModule,
        OutboxRelayModule.register([queue, ReportsModule, ArrivalsModule, FhirPhotoModule, FhirProjectionModule, results], handlers),
        HealthModule.register([StorageModule, ...workerModule, ...hl7Module], probes),
        ...workerModule,
        ...hl7Module,
        ...(api ? [ApiV1Module, FhirModule, TraceModule, AdminModule, UploadModule] : []),
      ],
    };
  }
}
