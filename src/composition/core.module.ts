import { Global, Module } from '@nestjs/common';
import { AnalysisService } from '../core/analysis/analysis.service.js';
import { ArtifactService } from '../core/analysis/artifact.service.js';
import { FhirTablesModule } from '../doors/fhir/fhir-tables.module.js';
import { BirthDates } from '../core/patients/birth-dates.js';
import { IdempotencyService } from '../core/idempotency/idempotency.service.js';
import { ImageService } from '../core/images/image.service.js';
import { ImageErasure } from '../core/erasure/image-erasure.js';
import { PhotoDocuments } from '../core/erasure/photo-documents.js';
import { PhotoCopyErasers } from '../core/erasure/photo-copy-erasers.js';
import { StorageAllowance } from '../core/images/storage-allowance.js';
import { UnusedUploads } from '../core/images/unused-uploads.js';
import { IdempotencyLedger } from '../core/idempotency/idempotency-ledger.js';
import { ImageInspector } from '../core/images/image-inspector.js';
import { Digest } from '../core/ports/digest.js';
import { ImageRepository } from '../core/images/image.repository.js';
import { JobRepository } from '../core/analysis/job.repository.js';
import { ModelCatalogue } from '../core/analysis/model-catalogue.js';
import { ObjectStore } from '../core/images/object-store.js';
import { OverlayRenderer } from '../core/analysis/overlay-renderer.js';
import { PictureRenderer } from '../core/analysis/picture-renderer.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { ImagingModule, ModelCatalogueModule } from '../inference/index.js';
import { CORE_PORTS } from './core-ports.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { SamplesModule } from '../storage/samples/samples.module.js';
import { FollowUpModule } from './follow-up.module.js';
import { OrdersModule } from './orders.module.js';
import { TenancyModule } from './tenancy.module.js';

const BYTES_PER_GIB = 1024 ** 3;

const SERVICES = [
  bind(PhotoCopyErasers),
  bind(
    StorageAllowance,
    CORE_PORTS,
    from(Settings, ({ limits }) => limits.organizationGib * BYTES_PER_GIB),
  ),
  bind(
    ImageService,
    { ...CORE_PORTS, store: ObjectStore, inspector: ImageInspector, allowance: StorageAllowance },
    from(Settings, ({ storage, images }) => ({
      uploadLifeS: storage.uploadLifeS,
      maxBytes: images.maxBytes,
    })),
  ),
  bind(ImageErasure, {
    ...CORE_PORTS,
    store: ObjectStore,
    erasers: PhotoCopyErasers,
    documents: PhotoDocuments,
    allowance: StorageAllowance,
  }),
  bind(UnusedUploads, { ...CORE_PORTS, store: ObjectStore }, ImageService),
  bind(
    AnalysisService,
    { ...CORE_PORTS, models: ModelCatalogue, birthDates: BirthDates },
    ImageService,
    from(Settings, ({ models, process }) => ({ allowResearchModel: models.allowResearch, timeZone: process.timeZone })),
  ),
  bind(OverlayRenderer, ImageRepository, UnitOfWork, ObjectStore, PictureRenderer, JobRepository, Digest),
  bind(ArtifactService, AnalysisService, ImageRepository, UnitOfWork, ObjectStore, OverlayRenderer),
  bind(IdempotencyService, IdempotencyLedger),
];

/** Binds core's plain classes to the ports that the adapters provide. Global, as every door asks for them. */
@Global()
@Module({
  imports: [
    StorageModule,
    ImagingModule,
    ModelCatalogueModule,
    SamplesModule,
    TenancyModule,
    FollowUpModule,
    OrdersModule,
    FhirTablesModule,
  ],
  providers: SERVICES,
  exports: [
    ...SERVICES.map(({ provide }) => provide),
    TenancyModule,
    ModelCatalogueModule,
    SamplesModule,
    FollowUpModule,
    OrdersModule,
  ],
})
export class CoreModule {}
