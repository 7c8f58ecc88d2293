import type { TenantTransaction } from '../ports/unit-of-work.js';

/** Reports that were entered in error after a version of them stood: somebody may have been told of it. */
export abstract class WithdrawnReports {
  /** Their ids, oldest first. */
  abstract ids(transaction: TenantTransaction): Promise<readonly string[]>;
}
