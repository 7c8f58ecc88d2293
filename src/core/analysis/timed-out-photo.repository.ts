import type { SystemTransaction, TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { JobSource } from './analysis-job.js';

/** A photo that was given up for time, by the last job of it. */
export interface TimedOutPhoto extends Tenant {
  readonly jobId: string;
  readonly imageId: string;
  readonly patientId: string | null;
  readonly source: JobSource;
  readonly failedAt: Date;
}

/** A part of them, oldest first by (failedAt, jobId). */
export interface TimedOutPage {
  /** Only those given up so many seconds ago; null: all. */
  readonly olderThanS: number | null;
  /** What comes behind it; null: from the oldest. */
  readonly after: { readonly failedAt: Date; readonly jobId: string } | null;
  readonly limit: number;
}

/** Of one tenant, for metrics. */
export interface TimedOutFigures extends Tenant {
  readonly photos: number;
  readonly oldestAt: Date;
}

/** Photos that were given up for time and have no later job; without those that a person set aside. */
export abstract class TimedOutPhotoRepository {
  /** Oldest first. */
  abstract list(transaction: TenantTransaction, page: TimedOutPage): Promise<TimedOutPhoto[]>;
  /** null: it is no such photo's, or no longer. */
  abstract find(transaction: TenantTransaction, jobId: string): Promise<TimedOutPhoto | null>;
  abstract count(transaction: SystemTransaction): Promise<TimedOutFigures[]>;
  /** Takes a photo off the list. False: it is no longer there. */
  abstract setAside(
    transaction: TenantTransaction,
    jobId: string,
    by: { readonly by: string; readonly note?: string | undefined },
  ): Promise<boolean>;
}
