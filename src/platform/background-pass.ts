import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Settings } from './config/settings.js';
import type { Logger } from './logging/logger.js';

/**
 * Work over rows from before a release, done once after each start, behind everything else. It goes on where it was left, so that a stop in
 * between loses nothing; where the database is away it waits, and tries again.
 */
export abstract class BackgroundPass implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** What an interruption is called in the log. */
  protected abstract readonly interruption: string;
  protected readonly retryMs: number = 60_000;
  private readonly ending = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    protected readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.process.roles.includes('api')) this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  /** How many rows it has dealt with, once it is through or stopped. */
  async run(): Promise<number> {
    let done = 0;
    while (!this.isStopped) {
      try {
        await this.pass((more) => (done += more));
        if (!this.isStopped) this.finished(done);
        break;
      } catch (error) {
        this.logger.warn(this.interruption, {
          done,
          error: error instanceof Error ? error.name : 'unknown',
          retryAfterS: Math.ceil(this.retryMs / 1000),
        });
        await this.pause(this.retryMs);
      }
    }
    return done;
  }

  protected get isStopped(): boolean {
    return this.ending.signal.aborted;
  }

  /** Ends sooner where the process stops. */
  protected async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { ref: false, signal: this.ending.signal }).catch(() => undefined);
  }

  /** From where it was left to the end, or until `isStopped`; tells `advanced` of each row that it dealt with. What it throws is tried again. */
  protected abstract pass(advanced: (rows: number) => void): Promise<void>;

  /** It is through. */
  protected abstract finished(done: number): void;
}
