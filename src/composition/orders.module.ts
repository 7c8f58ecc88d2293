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
import { ImageInspector } from '../core/images/image-inspector.js';
import { ObjectStore } from '../core/images/object-store.js';
import { RemoteImageRepository } from '../core/remote-images/remote-image.repository.js';
import { RemoteImageSource } from '../core/remote-images/remote-image.source.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { ImagingModule } from '../inference/index.js';
import { CORE_PORTS } from './core-ports.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { Logger } from '../platform/logging/logger.js';
import { StorageModule } from '../storage/drivers/storage.module.js';
import { RemoteImageModule } from '../storage/fetch/remote-image.module.js';

const MAX_IMAGE_BYTES = from(Settings, ({ images }) => images.maxBytes);
const KEEPING = { ...CORE_PORTS, store: ObjectStore } as const;

/** Logs why a photo was not fetched. The log names the organization and no person. */
const FETCH_FAILURES = from(
  Logger,
  (logger) =>
    ({ tenant: { organizationId, environment }, ...failure }: FetchFailure): void =>
      logger.warn('image.fetch_failed', { organizationId, environment, ...failure }),
);

const SERVICES = [
  bind(ImageStaging, { ...KEEPING, inspector: ImageInspector, allowance: StorageAllowance }, MAX_IMAGE_BYTES),
  bind(AttachmentService, { ...KEEPING, allowance: StorageAllowance }, MAX_IMAGE_BYTES),
  bind(AnalysisRequestService, { ...CORE_PORTS, store: ObjectStore }, AnalysisService, ImageService),
  bind(JobRetries, CORE_PORTS, AnalysisService),
  bind(
    RemoteImageService,
    { ...KEEPING, source: RemoteImageSource, tell: FETCH_FAILURES },
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
