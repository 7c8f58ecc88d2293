import type { Tenant } from '../tenancy/tenant.js';
import type { Transaction, TenantTransaction } from '../ports/unit-of-work.js';

/** A photo that is due to be fetched. */
export interface DueFetch {
  readonly tenant: Tenant;
  readonly imageId: string;
  readonly url: string;
  /** This one included. */
  readonly tries: number;
}

/** Photos that are still to be fetched. */
export abstract class RemoteImageRepository {
  abstract insert(transaction: TenantTransaction, imageId: string, url: string): Promise<void>;
  /**
   * Lent to this process; what is not removed comes back after 30 s, then after four times as long, and so on. In a statement of its own. No more
   * of one host of an organization, nor of one organization, than `slots` says, those that are `running` counted.
   */
  abstract takeDue(
    limit: number,
    slots: { readonly host: number; readonly organization: number },
    running: readonly DueFetch[],
  ): Promise<DueFetch[]>;
  /** Why a try failed, as a code. In a statement of its own. */
  abstract noteFault(imageId: string, fault: string): Promise<void>;
  /** Ends the attempts. The reason is kept, the address is not. Only in a system transaction. */
  abstract giveUp(transaction: Transaction, imageId: string, fault: string): Promise<void>;
  /** Only in a system transaction. */
  abstract remove(transaction: Transaction, imageId: string): Promise<void>;
}
