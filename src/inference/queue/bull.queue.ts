import { performance } from 'node:perf_hooks';
import type { Queue } from 'bull';
import type { JobPriority } from '../../core/analysis/analysis-job.js';
import { InferenceQueue } from '../../core/analysis/inference-queue.js';
import { gaugeOf, sharedCounter } from '../../platform/health/shared-metrics.js';
import type { Logger } from '../../platform/logging/logger.js';

/** The Bull queue's name, under which its keys lie in Redis. */
export const BULL_QUEUE = 'sutura-inference';

/** Injection token of the queue, where there is one. */
export const BULL_QUEUE_TOKEN = Symbol('Bull queue');

/** The data in Redis: an id and nothing else. */
export interface WakeUp {
  readonly jobId: string;
}

/** Bull's own promise may never settle while Redis is unavailable. */
const ADD_LIMIT_MS = 500;
/** Time for which wake-ups go through PostgreSQL alone after Redis failed. */
const OPEN_CIRCUIT_MS = 5000;
/** Bull's own close never settles where Redis does not answer. */
const CLOSE_LIMIT_MS = 2000;
/** Bull serves small numbers first, and jobs without a number last. */
const STAT_PRIORITY = 1;

/**
 * Wakes workers through Bull on Redis. If Redis does not accept a wake-up in time, `fallback` is used, also for the next seconds, so that no caller waits for Redis.
 */
export class BullQueue extends InferenceQueue {
  override readonly ordersByPriority = true;
  private readonly fallbacks = sharedCounter(
    'sutura_queue_fallbacks_total',
    'Wake-ups that Redis did not take in time, and that went through PostgreSQL',
  );
  private openUntil = 0;
  private unreachable = false;

  constructor(
    private readonly queue: Queue<WakeUp>,
    private readonly fallback: Pick<InferenceQueue, 'enqueue'>,
    private readonly logger: Logger,
    private readonly limits: { readonly addMs: number; readonly openMs: number } = {
      addMs: ADD_LIMIT_MS,
      openMs: OPEN_CIRCUIT_MS,
    },
  ) {
    super();
    // Without a listener an error of Redis would end the process.
    queue.on('error', (error) => this.noteUnreachable(error));
    gaugeOf('sutura_redis_connected', 'Whether this process has a connection to Redis; alarm on 0', () =>
      queue.client.status === 'ready' ? 1 : 0,
    );
  }

  override async enqueue(wakeUp: {
    readonly jobId: string;
    readonly priority: JobPriority;
    readonly attempt: number;
  }): Promise<void> {
    // Asking the database at once is quicker than the way through Redis, where the job stays visible all the same.
    this.isTakenHere(wakeUp.jobId);
    if (performance.now() >= this.openUntil && (await this.add(wakeUp))) return;
    this.fallbacks.inc();
    await this.fallback.enqueue(wakeUp);
  }

  private async add({
    jobId,
    priority,
    attempt,
  }: {
    readonly jobId: string;
    readonly priority: JobPriority;
    readonly attempt: number;
  }): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Redis gave no answer')), this.limits.addMs);
    });
    const added = this.queue.add(
      { jobId },
      {
        // Bull ignores an id that it still holds, hence the attempt in it and the removals.
        jobId: `${jobId}-${attempt}`,
        attempts: 1,
        removeOnComplete: true,
        removeOnFail: true,
        ...(priority === 'stat' ? { priority: STAT_PRIORITY } : {}),
      },
    );
    added.catch(() => undefined);
    try {
      await Promise.race([added, late]);
      if (this.unreachable) this.logger.info('queue.recovered');
      this.unreachable = false;
      return true;
    } catch (error) {
      this.openUntil = performance.now() + this.limits.openMs;
      this.noteUnreachable(error);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  private noteUnreachable(error: unknown): void {
    if (!this.unreachable) this.logger.warn('queue.unreachable', { reason: reasonOf(error) });
    this.unreachable = true;
  }
}

/** Closes a Bull queue's connections; by force where Redis does not answer, since Bull's own close then never settles. */
export async function closeQueue(queue: Queue): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  await Promise.race([queue.close(true).catch(() => undefined), late]);
  clearTimeout(timer);
  for (const client of queue.clients) client.disconnect();
}

/** The system's or OpenSSL's code, or the first word of Redis's own answer (WRONGPASS, NOAUTH, OOM); never its text, which may quote. */
function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return code;
  return /^[A-Z]{3,}\b/.exec(typeof message === 'string' ? message : '')?.[0] ?? 'no_answer';
}
