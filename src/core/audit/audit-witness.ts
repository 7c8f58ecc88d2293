import type { Tenant } from '../tenancy/tenant.js';

/** The operation by which a process writes into the trail that rows are gone; its row is sealed as every other. */
export const ROWS_REMOVED = '$audit-rows-removed';

/** Rows of one chain that are gone. */
export interface RemovedRows extends Tenant {
  readonly ids: readonly string[];
}

/**
 * What a process remembers of the rows that it wrote, until they are sealed: so that one which is removed before, which no seal could tell of, is
 * missed by whoever wrote it. Only rows that were committed are remembered: a transaction that was given up leaves a gap in the ids, and no alarm.
 */
export abstract class AuditWitness {
  /** Rows that this process wrote and that are neither there nor in a seal. Each is named once. */
  abstract removed(): Promise<readonly RemovedRows[]>;
}
