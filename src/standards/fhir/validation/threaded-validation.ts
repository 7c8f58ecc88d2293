import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Verdict } from './resource-issue.js';

/** The first in line reads the definitions (0.2 s); the heaviest resource within the limits takes about a second. */
const LIMIT_MS = 10_000;
const WAITING_LIMIT = 20;
const IDLE_MS = 60_000;
/** The definitions are 60 MB of it. */
const HEAP_LIMIT_MB = 256;

/** A task for validation, as data that can be copied between threads. */
export interface ValidationTask {
  readonly resource: unknown;
  readonly profiles: readonly string[];
}

/** Validates heavy resources in one other thread, one resource after another; the thread starts with the first and ends when it is idle. */
@Injectable()
export class ThreadedValidation implements OnApplicationShutdown {
  private readonly thread = new Piscina<ValidationTask, Verdict>({
    filename: new URL('./validation-thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** The same verdict as `ResourceValidator.validate`. `request.too_large` for what takes too long or too much memory; `rate.limited` where too much waits already. */
  async validate(task: ValidationTask): Promise<Verdict> {
    if (this.waiting >= WAITING_LIMIT)
      throw new SuturaError('rate.limited', {
        detail: 'Many large resources that are not valid are being checked. Try again after Retry-After.',
        retryAfterS: 2,
      });
    this.waiting += 1;
    // The time of each begins when it is its turn.
    const verdict = this.last.then(() => this.run(task));
    this.last = verdict.catch(() => undefined);
    try {
      return await verdict;
    } finally {
      this.waiting -= 1;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.destroy();
  }

  private async run(task: ValidationTask): Promise<Verdict> {
    try {
      return await this.thread.run(task, { signal: AbortSignal.timeout(LIMIT_MS) });
    } catch (fault) {
      if (isTooMuch(fault))
        throw new SuturaError('request.too_large', {
          detail: 'The resource takes too long to check. Send it in parts.',
        });
      throw fault;
    }
  }
}

/** Ended for its time or its memory: the thread is gone, and the next task gets a new one. */
function isTooMuch(fault: unknown): boolean {
  const { name, code } = fault as { name?: string; code?: string };
  return name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY';
}
