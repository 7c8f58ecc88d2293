import type { JobSource } from '../analysis/analysis-job.js';
import type { SystemTransaction, TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';

/** A wound without a number, of a patient who has others with one that site and side do not contradict. All of them are open. */
export interface UnclearWound {
  readonly woundId: string;
  readonly patientId: string;
  /** The later of both: it has no number, and the patient has a wound with one. */
  readonly since: Date;
  /** The wounds that may be meant and were not set aside, oldest first; at most 20. */
  readonly others: readonly string[];
  /** Of its assessments that stand, oldest first. */
  readonly jobIds: readonly string[];
  readonly imageIds: readonly string[];
  /** The door of the first. */
  readonly source: JobSource;
}

/** What the list of unclear wounds is asked for. */
export interface UnclearWoundPage {
  readonly olderThanS: number | null;
  /** The end of the page before, by (since, woundId). */
  readonly after: { readonly since: Date; readonly woundId: string } | null;
  readonly limit: number;
}

/** Wounds of which nobody knows whether they are another one of their patient. */
export abstract class UnclearWoundRepository {
  abstract page(transaction: TenantTransaction, page: UnclearWoundPage): Promise<readonly UnclearWound[]>;
  /** null: nothing is asked about it. */
  abstract find(transaction: TenantTransaction, woundId: string): Promise<UnclearWound | null>;
  abstract count(
    transaction: SystemTransaction,
  ): Promise<readonly (Tenant & { readonly items: number; readonly oldestSince: Date })[]>;
  /** From now on nobody is asked whether it is one of `others`. False: somebody was faster. */
  abstract setAside(
    transaction: TenantTransaction,
    woundId: string,
    others: readonly string[],
    by: { readonly name: string; readonly note: string | null },
  ): Promise<boolean>;
}
