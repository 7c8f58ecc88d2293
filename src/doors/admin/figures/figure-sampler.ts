import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { FigureHistory } from '../../../core/figures/figure-history.js';
import { FigureSamples } from '../../../core/figures/figure-samples.js';
import { Clock } from '../../../core/ports/clock.js';
import { Logger } from '../../../platform/logging/logger.js';

const LOOK_EVERY_MS = 30_000;

/** Takes the service's figures every five minutes. */
@Injectable()
export class FigureSampler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly history: FigureHistory;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    samples: FigureSamples,
    clock: Clock,
    private readonly logger: Logger,
  ) {
    this.history = new FigureHistory(samples, clock);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.take());
    }, LOOK_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Never fails: a sample that could not be taken is a gap in the charts. */
  private async take(): Promise<void> {
    try {
      await this.history.take();
    } catch (error) {
      this.logger.warn('figures.not_taken', { error: error instanceof Error ? error.name : 'unknown' });
    }
  }
}
