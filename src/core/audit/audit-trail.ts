import type { Access } from './access.js';
import type { Caller } from '../tenancy/api-key.js';
import type { Transaction } from '../ports/unit-of-work.js';

/** An access, and whose it is. */
export interface CallerAccess {
  readonly caller: Caller;
  readonly access: Access;
}

/**
 * Writes down who came to whose data. Written once: nobody who serves callers can change or remove a row. What cannot be written
 * down does not happen: all throw `service.unavailable` where the row could not be kept.
 */
export abstract class AuditTrail {
  /** In the transaction of the access: both or neither. */
  record(transaction: Transaction, caller: Caller, access: Access): Promise<void> {
    return this.recordAll(transaction, [{ caller, access }]);
  }
  /** The accesses of several callers of one tenant, in the transaction that they share. */
  abstract recordAll(transaction: Transaction, accesses: readonly CallerAccess[]): Promise<void>;
  /** Of an access outside any transaction: one statement, to be awaited before the answer leaves. */
  abstract recordNow(caller: Caller, access: Access): Promise<void>;
}
