import { Module } from '@nestjs/common';
import { AnalysisRequestService } from '../core/analysis/analysis-request.service.js';
import { AnalysisService } from '../core/analysis/analysis.service.js';
import { JobRetries } from '../core/analysis/job-retries.js';
import { AttachmentService } from '../core/attachments/attachment.service.js';
import { ImageStaging } from '../core/images/image-staging.js';
import { ImageService } from '../core/images/image.service.js';
import { PhotoCopyErasers } from '../core/erasure/photo-copy-erasers.js';
import { RemoteImageEraser } from '../core/remote-images/remote-image.eraser.js';
import { RemoteImageService, type FetchFailure } from '../core/remote-images/remote-image.service.js';
import { StorageAllowance } from '../core/images/storage-allowance.js';
import { AnalysisRequestRepository } from '../core/analysis/analysis-request.repository.js';
import { AttachmentRepository } from '../core/attachments/attachment.repository.js';
import { Clock } from '../core/ports/clock.js';
import { IdSource } from '../core/ports/id-source.js';
import { ImageInspector } from '../core/images/image-inspector.js';
import { Digest } from '../core/ports/digest.js';
import { ImageRepository } from '../core/images/image.repository.js';
import { JobRepository } from '../core/analysis/job.repository.js';
import { ObjectStore } from '../core/images/object-store.js';
import { OrganizationRepository } from '../core/organizations/organization.repository.js';
import { Outbox } from '../core/domain-events/outbox.js';
import { RemoteImageRepository } from '../core/remote-images/remote-image.repository.js';
import { RemoteImageSource } from '../core/remote-images/remote-image.source.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { ImagingModule } from '../inference/index.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { Logger } from '../platform/logging/logger.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { RemoteImageModule } from '../storage/fetch/remote-image.module.js';

const MAX_IMAGE_BYTES = from(Settings, ({ images }) => images.maxBytes);
const KEEPING = { unitOfWork: UnitOfWork, store: ObjectStore, digest: Digest, clock: Clock, ids: IdSource } as const;

/** Logs why a photo was not fetched. The log names the organization and no person. */
const FETCH_FAILURES = from(
  Logger,
  (logger) =>
    ({ tenant: { organizationId, environment }, ...failure }: FetchFailure): void =>
      logger.warn('image.fetch_failed', { organizationId, environment, ...failure }),
);

const SERVICES = [
  bind(
    ImageStaging,
    { ...KEEPING, images: ImageRepository, inspector: ImageInspector, allowance: StorageAllowance },
    MAX_IMAGE_BYTES,
  ),
  bind(
    AttachmentService,
    { ...KEEPING, attachments: AttachmentRepository, allowance: StorageAllowance },
    MAX_IMAGE_BYTES,
  ),
  bind(
    AnalysisRequestService,
    {
      unitOfWork: UnitOfWork,
      requests: AnalysisRequestRepository,
      jobs: JobRepository,
      store: ObjectStore,
      outbox: Outbox,
      clock: Clock,
      ids: IdSource,
    },
    AnalysisService,
    ImageService,
  ),
  bind(
    JobRetries,
    { unitOfWork: UnitOfWork, jobs: JobRepository, requests: AnalysisRequestRepository },
    AnalysisService,
  ),
  bind(
    RemoteImageService,
    {
      ...KEEPING,
      images: ImageRepository,
      organizations: OrganizationRepository,
      remote: RemoteImageRepository,
      source: RemoteImageSource,
      outbox: Outbox,
      tell: FETCH_FAILURES,
    },
    ImageService,
    AnalysisRequestService,
    MAX_IMAGE_BYTES,
  ),
  bind(RemoteImageEraser, UnitOfWork, RemoteImageRepository, PhotoCopyErasers),
];

/** Binds core's classes for orders, and for photos and attachments that come with messages, to their ports. Part of CoreModule. */
@Module({
  imports: [StorageModule, ImagingModule, RemoteImageModule],
  providers: SERVICES,
  exports: [ImageStaging, AttachmentService, AnalysisRequestService, JobRetries, RemoteImageService],
})
export class OrdersModule {}
