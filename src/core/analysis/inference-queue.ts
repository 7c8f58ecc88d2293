import type { JobPriority } from './analysis-job.js';

/** Wakes workers. A wake-up may be lost or repeated: the job's row is the record, and a sweep finds what was missed. */
export abstract class InferenceQueue {
  /** Carries the id and the priority, never bytes or clinical text. */
  abstract enqueue(wakeUp: {
    readonly jobId: string;
    readonly priority: JobPriority;
    readonly attempt: number;
  }): Promise<void>;
}
