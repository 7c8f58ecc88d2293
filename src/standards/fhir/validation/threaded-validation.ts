import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { FairShare } from '../../../platform/turns/fair-share.js';
import type { Verdict } from './resource-issue.js';

/** The first in line reads the definitions (0.2 s); the heaviest resource within the limits takes about a second. */
const LIMIT_MS = 10_000;
/** One at a time, and of the organization next whose resources took the least time lately. */
const SHARE = { places: 1, placesOfOne: 1, bytes: Infinity, waitingOfOne: 20, patienceMs: 15_000 };
const IDLE_MS = 60_000;
/** The definitions are 60 MB of it. */
const HEAP_LIMIT_MB = 256;

/** A task for validation, as data that can be copied between threads. */
export interface ValidationTask {
  readonly resource: unknown;
  readonly profiles: readonly string[];
}

/** Validates heavy resources in one other thread, one resource after another, with a fair share of it for each organization; the thread starts with the first and ends when it is idle. */
@Injectable()
export class ThreadedValidation implements OnApplicationShutdown {
  private pool: Piscina<ValidationTask, Verdict> | undefined;
  private readonly share = new FairShare(SHARE);

  /**
   * The same verdict as `ResourceValidator.validate`. `request.too_large` for what takes too long or too much memory; `service.busy` where
   * too much of the organization waits already, or it waited too long.
   */
  validate(task: ValidationTask, organizationId: string): Promise<Verdict> {
    // The time of each begins when it is its turn.
    return this.share.run(organizationId, 0, () => this.run(task));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }

  private get thread(): Piscina<ValidationTask, Verdict> {
    return (this.pool ??= new Piscina<ValidationTask, Verdict>({
      filename: new URL('./validation-thread.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    }));
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
