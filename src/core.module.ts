import { Global, Module, type Provider } from '@nestjs/common';
import { AnalysisService } from './core/analysis/analysis.service.js';
import { FollowUpSummariser } from './core/followup/follow-up-summary.js';
import { ArtifactService } from './core/analysis/artifact.service.js';
import { IdempotencyService } from './core/idempotency/idempotency.service.js';
import { ImageService } from './core/images/image.service.js';
import { StorageAllowance } from './core/images/storage-allowance.js';
import { PhotoKeepers } from './core/images/photo-keepers.js';
import { UnusedUploads } from './core/images/unused-uploads.js';
import { Clock } from './core/ports/clock.js';
import { IdempotencyLedger } from './core/ports/idempotency-ledger.js';
import { IdSource } from './core/ports/id-source.js';
import { Digest, ImageInspector } from './core/ports/image-inspector.js';
import { ImageRepository } from './core/ports/image.repository.js';
import { JobRepository } from './core/ports/job.repository.js';
import { ModelCatalogue } from './core/ports/model-catalogue.js';
import { ObjectStore } from './core/ports/object-store.js';
import { OrganizationRepository } from './core/ports/organization.repository.js';
import { Outbox } from './core/ports/outbox.js';
import { OverlayRenderer } from './core/ports/overlay-renderer.js';
import { PatientRepository } from './core/ports/patient.repository.js';
import { QuotaLedger } from './core/ports/quota-ledger.js';
import { UnitOfWork } from './core/ports/unit-of-work.js';
import { FollowUpModule } from './follow-up.module.js';
import { OrdersModule } from './orders.module.js';
import { ImagingModule, ModelCatalogueModule } from './inference/index.js';
import { Settings } from './platform/config/settings.js';
import { StorageModule } from './storage/drivers/storage.module.js';
import { TenancyModule } from './tenancy.module.js';

const BYTES_PER_GIB = 1024 ** 3;

const allowance: Provider = {
  provide: StorageAllowance,
  inject: [UnitOfWork, ImageRepository, Clock, Settings],
  useFactory: (unitOfWork: UnitOfWork, images: ImageRepository, clock: Clock, { environment }: Settings) =>
    new StorageAllowance({ unitOfWork, images, clock }, environment.SUTURA_ORGANIZATION_GIB * BYTES_PER_GIB),
};

const images: Provider = {
  provide: ImageService,
  inject: [UnitOfWork, ImageRepository, JobRepository, ObjectStore, ImageInspector, Digest, Outbox, PhotoKeepers, StorageAllowance, Clock, IdSource, Settings],
  useFactory: (
    unitOfWork: UnitOfWork,
    images: ImageRepository,
    jobs: JobRepository,
    store: ObjectStore,
    inspector: ImageInspector,
    digest: Digest,
    outbox: Outbox,
    keepers: PhotoKeepers,
    allowance: StorageAllowance,
    clock: Clock,
    ids: IdSource,
    { environment }: Settings,
  ) =>
    new ImageService(
      { unitOfWork, images, jobs, store, inspector, digest, outbox, keepers, allowance, clock, ids },
      { uploadLifeS: environment.SUTURA_UPLOAD_LIFE_S, maxBytes: environment.SUTURA_MAX_IMAGE_BYTES },
    ),
};

const unusedUploads: Provider = {
  provide: UnusedUploads,
  inject: [UnitOfWork, ImageRepository, ObjectStore, ImageService],
  useFactory: (unitOfWork: UnitOfWork, images: ImageRepository, store: ObjectStore, service: ImageService) => new UnusedUploads({ unitOfWork, images, store }, service),
};

const analysis: Provider = {
  provide: AnalysisService,
  inject: [
    UnitOfWork,
    JobRepository,
    ImageRepository,
    PatientRepository,
    OrganizationRepository,
    QuotaLedger,
    Outbox,
    ModelCatalogue,
    Clock,
    IdSource,
    ImageService,
    FollowUpSummariser,
    Settings,
  ],
  useFactory: (
    unitOfWork: UnitOfWork,
    jobs: JobRepository,
    images: ImageRepository,
    patients: PatientRepository,
    organizations: OrganizationRepository,
    quota: QuotaLedger,
    outbox: Outbox,
    models: ModelCatalogue,
    clock: Clock,
    ids: IdSource,
    imageService: ImageService,
    followUp: FollowUpSummariser,
    { environment }: Settings,
  ) =>
    new AnalysisService({ unitOfWork, jobs, images, patients, organizations, quota, outbox, models, clock, ids }, imageService, followUp, {
      allowResearchModel: environment.SUTURA_ALLOW_RESEARCH_MODEL,
    }),
};

const artifacts: Provider = {
  provide: ArtifactService,
  inject: [AnalysisService, ImageRepository, UnitOfWork, ObjectStore, OverlayRenderer],
  useFactory: (analysis: AnalysisService, images: ImageRepository, unitOfWork: UnitOfWork, store: ObjectStore, overlays: OverlayRenderer) =>
    new ArtifactService(analysis, images, unitOfWork, store, overlays),
};

const idempotency: Provider = {
  provide: IdempotencyService,
  inject: [IdempotencyLedger],
  useFactory: (ledger: IdempotencyLedger) => new IdempotencyService(ledger),
};

/** Binds core's plain classes to the ports that the adapters provide. */
@Global()
@Module({
  imports: [StorageModule, ImagingModule, ModelCatalogueModule, TenancyModule, FollowUpModule, OrdersModule],
  providers: [{ provide: PhotoKeepers, useFactory: () => new PhotoKeepers() }, allowance, images, unusedUploads, analysis, artifacts, idempotency],
  exports: [PhotoKeepers, StorageAllowance, ImageService, UnusedUploads, AnalysisService, ArtifactService, IdempotencyService, TenancyModule, ModelCatalogueModule, FollowUpModule, OrdersModule],
})
export class CoreModule {}
