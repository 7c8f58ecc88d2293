import { Global, Module } from '@nestjs/common';
import { AnalysisService } from '../core/analysis/analysis.service.js';
import { ArtifactService } from '../core/analysis/artifact.service.js';
import { IdempotencyService } from '../core/idempotency/idempotency.service.js';
import { ImageService } from '../core/images/image.service.js';
import { ImageErasure } from '../core/erasure/image-erasure.js';
import { LegalHolds } from '../core/erasure/legal-holds.js';
import { PhotoDocuments } from '../core/erasure/photo-documents.js';
import { PhotoCopyErasers } from '../core/erasure/photo-copy-erasers.js';
import { StorageAllowance } from '../core/images/storage-allowance.js';
import { UnusedUploads } from '../core/images/unused-uploads.js';
import { Clock } from '../core/ports/clock.js';
import { IdSource } from '../core/ports/id-source.js';
import { IdempotencyLedger } from '../core/idempotency/idempotency-ledger.js';
import { ImageInspector } from '../core/images/image-inspector.js';
import { Digest } from '../core/ports/digest.js';
import { ImageRepository } from '../core/images/image.repository.js';
import { JobRepository } from '../core/analysis/job.repository.js';
import { ModelCatalogue } from '../core/analysis/model-catalogue.js';
import { ObjectStore } from '../core/images/object-store.js';
import { OrganizationRepository } from '../core/organizations/organization.repository.js';
import { Outbox } from '../core/domain-events/outbox.js';
import { OverlayRenderer } from '../core/analysis/overlay-renderer.js';
import { PictureRenderer } from '../core/analysis/picture-renderer.js';
import { PatientRepository } from '../core/patients/patient.repository.js';
import { QuotaLedger } from '../core/organizations/quota-ledger.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { ImagingModule, ModelCatalogueModule } from '../inference/index.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { FollowUpModule } from './follow-up.module.js';
import { OrdersModule } from './orders.module.js';
import { TenancyModule } from './tenancy.module.js';

const BYTES_PER_GIB = 1024 ** 3;

const SERVICES = [
  bind(PhotoCopyErasers),
  bind(
    StorageAllowance,
    { unitOfWork: UnitOfWork, images: ImageRepository, clock: Clock },
    from(Settings, ({ limits }) => limits.organizationGib * BYTES_PER_GIB),
  ),
  bind(
    ImageService,
    {
      unitOfWork: UnitOfWork,
      images: ImageRepository,
      store: ObjectStore,
      inspector: ImageInspector,
      digest: Digest,
      outbox: Outbox,
      allowance: StorageAllowance,
      clock: Clock,
      ids: IdSource,
    },
    from(Settings, ({ storage, images }) => ({
      uploadLifeS: storage.uploadLifeS,
      maxBytes: images.maxBytes,
    })),
  ),
  bind(ImageErasure, {
    unitOfWork: UnitOfWork,
    images: ImageRepository,
    jobs: JobRepository,
    store: ObjectStore,
    outbox: Outbox,
    erasers: PhotoCopyErasers,
    documents: PhotoDocuments,
    allowance: StorageAllowance,
    holds: LegalHolds,
  }),
  bind(UnusedUploads, { unitOfWork: UnitOfWork, images: ImageRepository, store: ObjectStore }, ImageService),
  bind(
    AnalysisService,
    {
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
    },
    ImageService,
    from(Settings, ({ models }) => ({ allowResearchModel: models.allowResearch })),
  ),
  bind(OverlayRenderer, ImageRepository, UnitOfWork, ObjectStore, PictureRenderer, JobRepository, Digest),
  bind(ArtifactService, AnalysisService, ImageRepository, UnitOfWork, ObjectStore, OverlayRenderer),
  bind(IdempotencyService, IdempotencyLedger),
];

/** Binds core's plain classes to the ports that the adapters provide. Global, as every door asks for them. */
@Global()
@Module({
  imports: [StorageModule, ImagingModule, ModelCatalogueModule, TenancyModule, FollowUpModule, OrdersModule],
  providers: SERVICES,
  exports: [
    ...SERVICES.map(({ provide }) => provide),
    TenancyModule,
    ModelCatalogueModule,
    FollowUpModule,
    OrdersModule,
  ],
})
export class CoreModule {}
