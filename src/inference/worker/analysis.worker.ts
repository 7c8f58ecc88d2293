import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimedJob } from '../../core/analysis/analysis-job.js';
import type { JobRepository } from '../../core/analysis/job.repository.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { AnalysisProcessor } from './analysis.processor.js';
import type { InferencePool } from './inference-pool.js';
import type { HeldLease, LeaseKeeper } from './lease-keeper.js';

const POLL_MS = 1000;
/** While one photo is computed, the bytes of the next are fetched or the result of the last is written. */
const JOBS_PER_SLOT = 2;
/** Leaves time to hand jobs back before a supervisor's usual 30 s are over. */
const GRACE_MS = 22_000;
const HAND_BACK_MS = 2000;

interface WorkerOptions {
  readonly leaseS: number;
  readonly graceMs?: number;
}

interface Offer {
  readonly jobId: string;
  readonly taken: () => void;
}

interface Running {
  readonly held: HeldLease;
  readonly done: Promise<void>;
}

/** Takes jobs as room frees and never more: what waits stays in the database, where any worker can reach it. */
export class AnalysisWorker {
  private readonly running = new Set<Running>();
  private readonly offers: Offer[] = [];
  private poll: NodeJS.Timeout | undefined;
  private pumping: Promise<void> | undefined;
  /** Jobs may wait in the database that no query has found yet. */
  private mayWait = false;
  private stopped: Promise<void> | undefined;
  private databaseAway = false;

  constructor(
    private readonly jobs: Pick<JobRepository, 'claim'>,
    private readonly processor: Pick<AnalysisProcessor, 'process'>,
    private readonly leases: LeaseKeeper,
    private readonly pool: Pick<InferencePool, 'start' | 'stop' | 'slots' | 'onReady'>,
    private readonly options: WorkerOptions,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.pool.onReady(() => this.wake());
    this.pool.start();
    // The database is the record: jobs are found by this alone where every wake-up is lost.
    this.poll = setInterval(() => this.wake(), POLL_MS);
    this.wake();
  }

  /** Looks for waiting jobs: now, or once there is room. Answers whether there is room now. */
  wake(): boolean {
    this.mayWait = true;
    this.startPump();
    return this.hasRoom();
  }

  /** Takes this very job as soon as there is room; resolves when it was taken or turned out not to be there for taking. */
  offer(jobId: string): Promise<void> {
    if (this.stopped !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.offers.push({ jobId, taken: resolve });
      this.startPump();
    });
  }

  /** Takes no further job, lets the running ones finish, hands back what takes too long and ends the inference processes. */
  stop(): Promise<void> {
    this.stopped ??= this.wind();
    return this.stopped;
  }

  private async wind(): Promise<void> {
    clearInterval(this.poll);
    for (const offer of this.offers.splice(0)) offer.taken();
    // A claim under way may still bring a job.
    await this.pumping;
    await this.settle(this.options.graceMs ?? GRACE_MS);
    for (const { held } of this.running) held.giveUp();
    await this.settle(HAND_BACK_MS);
    await this.pool.stop();
  }

  private async settle(limitMs: number): Promise<void> {
    if (this.running.size === 0) return;
    const limit = new AbortController();
    await Promise.race([
      Promise.all([...this.running].map(({ done }) => done)),
      pause(limitMs, undefined, { signal: limit.signal }).catch(() => undefined),
    ]);
    limit.abort();
  }

  private hasRoom(): boolean {
    return this.stopped === undefined && this.running.size < this.pool.slots * JOBS_PER_SLOT;
  }

  private startPump(): void {
    this.pumping ??= this.pump().finally(() => {
      this.pumping = undefined;
      // Woken between the last query and now.
      if (this.hasRoom() && (this.mayWait || this.offers.length > 0)) this.startPump();
    });
  }

  private async pump(): Promise<void> {
    while (this.hasRoom()) {
      const offer = this.offers.shift();
      if (offer === undefined && !this.mayWait) return;
      if (offer === undefined) this.mayWait = false;
      const claimed = await this.claim(offer?.jobId);
      offer?.taken();
      if (claimed === null) continue;
      this.mayWait ||= claimed.othersWait;
      this.begin(claimed);
    }
  }

  private async claim(jobId: string | undefined): Promise<ClaimedJob | null> {
    try {
      const claimed = await this.jobs.claim(this.options.leaseS, jobId);
      if (this.databaseAway) this.logger.info('worker.claims_recovered');
      this.databaseAway = false;
      return claimed;
    } catch (error) {
      if (!this.databaseAway) this.logger.error('worker.claim_failed', {}, error);
      this.databaseAway = true;
      return null;
    }
  }

  private begin(claimed: ClaimedJob): void {
    const held = this.leases.hold(claimed.lease);
    const done = this.processor
      .process(claimed, held)
      .then(() => undefined)
      .catch((error: unknown) => this.logger.error('worker.job_left', { jobId: claimed.job.id }, error))
      .finally(() => {
        held.stop();
        this.running.delete(running);
        this.startPump();
      });
    const running: Running = { held, done };
    this.running.add(running);
  }
}
