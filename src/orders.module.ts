import { Global, Module, type Provider } from '@nestjs/common';
import { AnalysisRequestService } from './core/analysis/analysis-request.service.js';
import { AnalysisService } from './core/analysis/analysis.service.js';
import { AttachmentService } from './core/attachments/attachment.service.js';
import { ImageStaging } from './core/images/image-staging.js';
import { ImageService } from './core/images/image.service.js';
import { PhotoKeepers } from './core/images/photo-keepers.js';
import { RemoteImageKeeper } from './core/images/remote-image.keeper.js';
import { StorageAllowance } from './core/images/storage-allowance.js';
import { RemoteImageService } from './core/images/remote-image.service.js';
import { AnalysisRequestRepository } from './core/ports/analysis-request.repository.js';
import { AttachmentRepository } from './core/ports/attachment.repository.js';
import { Clock } from './core/ports/clock.js';
import { IdSource } from './core/ports/id-source.js';
import { Digest, ImageInspector } from './core/ports/image-inspector.js';
import { ImageRepository } from './core/ports/image.repository.js';
import { JobRepository } from './core/ports/job.repository.js';
import { ObjectStore } from './core/ports/object-store.js';
import { OrganizationRepository } from './core/ports/organization.repository.js';
import { Outbox } from './core/ports/outbox.js';
import { RemoteImageRepository, RemoteImageSource } from './core/ports/remote-image.js';
import { UnitOfWork } from './core/ports/unit-of-work.js';
import { ImagingModule } from './inference/index.js';
import { Settings } from './platform/config/settings.js';
import { Logger } from './platform/logging/logger.js';
import { StorageModule } from './storage/drivers/storage.module.js';
import { RemoteImageModule } from './storage/fetch/remote-image.module.js';

const staging: Provider = {
  provide: ImageStaging,
  inject: [UnitOfWork, ImageRepository, ObjectStore, ImageInspector, Digest, StorageAllowance, Clock, IdSource, Settings],
  useFactory: (
    unitOfWork: UnitOfWork,
    images: ImageRepository,
    store: ObjectStore,
    inspector: ImageInspector,
    digest: Digest,
    allowance: StorageAllowance,
    clock: Clock,
    ids: IdSource,
    { environment }: Settings,
  ) => new ImageStaging({ unitOfWork, images, store, inspector, digest, allowance, clock, ids }, environment.SUTURA_MAX_IMAGE_BYTES),
};

const attachments: Provider = {
  provide: AttachmentService,
  inject: [UnitOfWork, AttachmentRepository, ObjectStore, Digest, StorageAllowance, Clock, IdSource, Settings],
  useFactory: (unitOfWork: UnitOfWork, repository: AttachmentRepository, store: ObjectStore, digest: Digest, allowance: StorageAllowance, clock: Clock, ids: IdSource, { environment }: Settings) =>
    new AttachmentService({ unitOfWork, attachments: repository, store, digest, allowance, clock, ids }, environment.SUTURA_MAX_IMAGE_BYTES),
};

const requests: Provider = {
  provide: AnalysisRequestService,
  inject: [UnitOfWork, AnalysisRequestRepository, JobRepository, ObjectStore, Outbox, Clock, IdSource, AnalysisService, ImageService],
  useFactory: (
    unitOfWork: UnitOfWork,
    repository: AnalysisRequestRepository,
    jobs: JobRepository,
    store: ObjectStore,
    outbox: Outbox,
    clock: Clock,
    ids: IdSource,
    analysis: AnalysisService,
    images: ImageService,
  ) => new AnalysisRequestService({ unitOfWork, requests: repository, jobs, store, outbox, clock, ids }, analysis, images),
};

const remoteImages: Provider = {
  provide: RemoteImageService,
  inject: [
    UnitOfWork,
    ImageRepository,
    OrganizationRepository,
    RemoteImageRepository,
    RemoteImageSource,
    ObjectStore,
    Digest,
    Outbox,
    Clock,
    IdSource,
    ImageService,
    AnalysisRequestService,
    Settings,
    Logger,
  ],
  useFactory: (
    unitOfWork: UnitOfWork,
    images: ImageRepository,
    organizations: OrganizationRepository,
    remote: RemoteImageRepository,
    source: RemoteImageSource,
    store: ObjectStore,
    digest: Digest,
    outbox: Outbox,
    clock: Clock,
    ids: IdSource,
    imageService: ImageService,
    requests: AnalysisRequestService,
    { environment }: Settings,
    logger: Logger,
  ) =>
    new RemoteImageService(
      {
        ...{ unitOfWork, images, organizations, remote, source, store, digest, outbox, clock, ids },
        tell: ({ tenant: { organizationId, environment: of }, ...failure }) => logger.warn('image.fetch_failed', { organizationId, environment: of, ...failure }),
      },
      imageService,
      requests,
      environment.SUTURA_MAX_IMAGE_BYTES,
    ),
};

const pendingFetches: Provider = {
  provide: RemoteImageKeeper,
  inject: [UnitOfWork, RemoteImageRepository, PhotoKeepers],
  useFactory: (unitOfWork: UnitOfWork, remote: RemoteImageRepository, keepers: PhotoKeepers) => new RemoteImageKeeper(unitOfWork, remote, keepers),
};

/** Binds core's classes for orders, and for photos and attachments that come with messages, to their ports. Beside CoreModule, whose services it needs. */
@Global()
@Module({
  imports: [StorageModule, ImagingModule, RemoteImageModule],
  providers: [staging, attachments, requests, remoteImages, pendingFetches],
  exports: [ImageStaging, AttachmentService, AnalysisRequestService, RemoteImageService],
})
export class OrdersModule {}
