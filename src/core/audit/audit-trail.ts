import type { Access } from './access.js';
import type { Caller } from '../tenancy/api-key.js';
import type { Transaction } from '../ports/unit-of-work.js';

/** An access and its caller. */
export interface CallerAccess {
  readonly caller: Caller;
  readonly access: Access;
}

/**
 * Records every access to patient data. Rows are written once: no role that serves callers can change or remove one. An access that cannot be
 * recorded must not happen: all methods throw `service.unavailable` if the row could not be kept.
 */
export abstract class AuditTrail {
  /** In the transaction of the access: both or neither. */
  record(transaction: Transaction, caller: Caller, access: Access): Promise<void> {
    return this.recordAll(transaction, [{ caller, access }]);
  }
  /** The accesses of several callers of one tenant, in the transaction that they share. */
  abstract recordAll(transaction: Transaction, accesses: readonly CallerAccess[]): Promise<void>;
  /** Records an access outside any transaction, in one statement; to be awaited before the answer is sent. */
  abstract recordNow(caller: Caller, access: Access): Promise<void>;
}
