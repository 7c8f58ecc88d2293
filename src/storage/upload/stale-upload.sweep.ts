import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import { Logger } from '../../platform/logging/logger.js';
import { BlobFolder } from '../drivers/blob-folder.js';

const INTERVAL_MS = 600_000;
/** Longer than any upload can take. */
const STALE_AFTER_MS = 3_600_000;

/** Removes files that killed processes left half written. */
@Injectable()
export class StaleUploadSweep implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly blobs: BlobFolder,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.sweep(), INTERVAL_MS);
    this.timer.unref();
    void this.sweep();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    try {
      const removed = await this.blobs.removeStale(new Date(this.clock.now().getTime() - STALE_AFTER_MS));
      if (removed > 0) this.logger.info('storage.stale_removed', { removed });
    } catch (fault) {
      this.logger.error('storage.sweep_failed', {}, fault);
    }
  }
}
