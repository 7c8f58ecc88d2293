import type { Logger } from '../../platform/logging/logger.js';

/** Runs work at an interval; a failure is logged once until the work succeeds again. */
export class RecurringWork {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  /** `work` answers how much it found; as long as that is more than zero, it runs again at once. */
  constructor(
    private readonly name: string,
    private readonly work: () => Promise<number>,
    private readonly intervalMs: number,
    private readonly logger: Logger,
    private readonly firstAfterMs = intervalMs,
  ) {}

  start(afterMs = this.firstAfterMs): void {
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => {
        if (!this.stopped) this.start(this.intervalMs);
      });
    }, afterMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      while (!this.stopped && (await this.work()) > 0);
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.error('sweep.failed', { work: this.name }, error);
      this.failing = true;
    }
  }
}
