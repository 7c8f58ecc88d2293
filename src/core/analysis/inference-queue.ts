import type { JobPriority } from './analysis-job.js';

/** Answers whether its process will look for the job at once. */
export type Taker = (jobId: string) => boolean;

/** Wakes workers. A wake-up may be lost or repeated: the job's row is the record, and a sweep finds what was missed. */
export abstract class InferenceQueue {
  private taker: Taker | undefined;

  /** Wake-ups overtake each other by their priority; without, a worker that looks takes the most urgent job anyway. */
  abstract readonly ordersByPriority: boolean;

  /** Carries the id and the priority, never bytes or clinical text. */
  abstract enqueue(wakeUp: {
    readonly jobId: string;
    readonly priority: JobPriority;
    readonly attempt: number;
  }): Promise<void>;

  /** The workers of this process are asked first, without the way through the queue. */
  onWaiting(taker: Taker): void {
    this.taker = taker;
  }

  /** True where a worker of this process looks for the job at once. */
  protected isTakenHere(jobId: string): boolean {
    return this.taker?.(jobId) ?? false;
  }
}
