import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../../../platform/config/settings.js';
import { Logger } from '../../../../platform/logging/logger.js';
import { MessagePhotos } from '../store/message-photos.js';

/** Has processed messages give up the photos that the object store has, after their senders have their answers. */
@Injectable()
export class MessagePhotoSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly filing: MessagePhotos,
    private readonly logger: Logger,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), this.settings.workers.sweepIntervalMs);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private begin(): void {
    this.running ??= this.round().finally(() => {
      this.running = null;
    });
  }

  private async round(): Promise<void> {
    try {
      const filed = await this.filing.fileAll(() => this.stopped);
      if (filed > 0) this.logger.debug('hl7.photos_filed', { messages: filed });
    } catch (fault) {
      // The object store or the database is away: the messages stay whole until the next round.
      this.logger.warn('hl7.filing_failed', { error: fault instanceof Error ? fault.name : 'unknown' });
    }
  }
}
