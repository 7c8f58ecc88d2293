import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Settings } from './config/settings.js';
import type { Logger } from './logging/logger.js';

/**
 * Work over the rows of older releases, once after each start and behind everything else. It resumes where it
 * stopped, so that a stop loses nothing. If the database is unavailable, it waits and tries again.
 */
export abstract class BackgroundPass implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The log event of an interruption. */
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

  /** Resolves when it is through or stopped, with the number of rows that it dealt with. */
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

  /** Waits; ends sooner if the process stops. */
  protected async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { ref: false, signal: this.ending.signal }).catch(() => undefined);
  }

  /**
   * Works from where it stopped to the end, or until `isStopped`, and calls `advanced` with the rows dealt with. An
   * error is logged, and the pass is tried again.
   */
  protected abstract pass(advanced: (rows: number) => void): Promise<void>;

  /** Called when it is through. */
  protected abstract finished(done: number): void;
}
