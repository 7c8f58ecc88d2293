import type { JobLease } from '../../core/analysis/analysis-job.js';
import type { JobRepository } from '../../core/analysis/job.repository.js';

/** Renewals that may fail in a row before the lease ends. */
const RENEWALS_PER_LEASE = 6;

/** A lease that is being renewed. */
export interface HeldLease {
  /** Raised when the lease is lost or given up: whatever is done for the job must stop. */
  readonly signal: AbortSignal;
  /** True once the job may belong to another worker. */
  readonly lost: boolean;
  /** The database could not be reached at the last renewal: a lost lease is then the service's trouble. */
  readonly wasUnreachable: boolean;
  /** Stops the work without losing the lease; for a worker that stops. */
  giveUp(): void;
  /** Ends the renewing. Call it when the job is done, with or without success. */
  stop(): void;
}

/** Keeps leases alive while their jobs are worked on. */
export class LeaseKeeper {
  constructor(
    private readonly jobs: Pick<JobRepository, 'renew'>,
    private readonly leaseS: number,
  ) {}

  hold(lease: JobLease): HeldLease {
    const controller = new AbortController();
    const state = { lost: false, wasUnreachable: false };
    let heldUntil = performance.now() + this.leaseS * 1000;
    let renewing = false;
    const lose = () => {
      state.lost = true;
      controller.abort();
    };
    const renew = async () => {
      const sentAt = performance.now();
      try {
        if (!(await this.jobs.renew(lease, this.leaseS))) return lose();
        heldUntil = sentAt + this.leaseS * 1000;
        state.wasUnreachable = false;
      } catch {
        state.wasUnreachable = true;
        // Database unavailable. The lease is valid until it expires; then another worker may claim the job.
        if (performance.now() >= heldUntil) lose();
      }
    };
    const timer = setInterval(
      () => {
        if (renewing || controller.signal.aborted) return;
        renewing = true;
        void renew().finally(() => (renewing = false));
      },
      (this.leaseS * 1000) / RENEWALS_PER_LEASE,
    );
    return {
      signal: controller.signal,
      get lost() {
        return state.lost;
      },
      get wasUnreachable() {
        return state.wasUnreachable;
      },
      giveUp: () => controller.abort(),
      stop: () => clearInterval(timer),
    };
  }
}
