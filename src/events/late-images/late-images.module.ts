import { Injectable, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AnalysisRequestService } from '../../core/analysis/analysis-request.service.js';
import { AttachmentService } from '../../core/attachments/attachment.service.js';
import type { DeliveredEvent, DomainEventKind } from '../../core/domain-events/domain-event.js';
import { ImageStaging } from '../../core/images/image-staging.js';
import { UnusedUploads } from '../../core/images/unused-uploads.js';
import { RemoteImageService } from '../../core/remote-images/remote-image.service.js';
import { DomainEventHandler } from '../../core/domain-events/domain-event.handler.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { RecurringWork } from '../recurring/recurring-work.js';

/** Time until a photo that is to be fetched is requested. */
const FETCH_INTERVAL_MS = 1000;
const CLEANING_INTERVAL_MS = 600_000;
/** A process that is often restarted cleans too; not at the start itself, when everything else begins. */
const FIRST_CLEANING_MS = 5000;

/** Starts the analyses that wait for a photo once its bytes are there, and ends them once it is deleted. Idempotent: a request that no longer waits is left as it is. */
@Injectable()
export class ArrivedImageHandler extends DomainEventHandler {
  readonly name = 'arrived-image';
  readonly kinds: readonly DomainEventKind[] = ['image.stored', 'image.deleted'];

  constructor(private readonly requests: AnalysisRequestService) {
    super();
  }

  handle({ kind, tenant, subjectId }: DeliveredEvent): Promise<void> {
    return kind === 'image.deleted'
      ? this.requests.imageGone(tenant, subjectId)
      : this.requests.imageReady(tenant, subjectId);
  }
}

/** Uploads of which nothing came. */
@Injectable()
export class StagingSweeps {
  /** By the name of the work: how much was removed. */
  readonly sweeps: Readonly<Record<string, () => Promise<number>>>;

  constructor(staging: ImageStaging, uploads: UnusedUploads, attachments: AttachmentService) {
    this.sweeps = {
      'staged-images': () => staging.sweep(),
      'unused-uploads': () => uploads.sweep(),
      'staged-attachments': () => attachments.sweep(),
    };
  }
}

/** Recurring work for photos that come late, from elsewhere, or not at all. Needs core's services, which are global. */
@Module({ providers: [ArrivedImageHandler, StagingSweeps], exports: [ArrivedImageHandler] })
export class LateImagesModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly work: readonly RecurringWork[];

  constructor(
    requests: AnalysisRequestService,
    private readonly remote: RemoteImageService,
    abandoned: StagingSweeps,
    { workers }: Settings,
    logger: Logger,
  ) {
    this.work = [
      new RecurringWork('analysis-requests', () => requests.sweep(), workers.sweepIntervalMs, logger),
      new RecurringWork('remote-images', () => remote.beginDue(), FETCH_INTERVAL_MS, logger),
      ...Object.entries(abandoned.sweeps).map(
        ([name, sweep]) => new RecurringWork(name, sweep, CLEANING_INTERVAL_MS, logger, FIRST_CLEANING_MS),
      ),
    ];
  }

  onApplicationBootstrap(): void {
    this.work.forEach((one) => one.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.work.map((one) => one.stop()));
    await this.remote.settled();
  }
}
