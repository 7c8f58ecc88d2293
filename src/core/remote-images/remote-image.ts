import type { Tenant } from '../tenancy/tenant.js';
import type { Transaction, TenantTransaction } from '../ports/unit-of-work.js';

/** Gets photos from addresses that a message named. */
export abstract class RemoteImageSource {
  /** `fhir.url_refused` unless the address is https, of one of the hosts (`host` or `host:port`), and without credentials. Asks nobody. */
  abstract check(url: string, hosts: readonly string[]): void;
  /**
   * The bytes behind the address. `fhir.url_refused` as `check`, also for what it redirects to, and where a name stands for an address inside;
   * `image.too_large`; `image.unavailable` where the host says that there is no such photo for us (401, 403, 404, 410); any other error may go by itself.
   */
  abstract fetch(url: string, hosts: readonly string[], maxBytes: number): Promise<Uint8Array>;
}

/** A photo that is to be fetched now. */
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
  /** It is not asked for again. What is kept of it is why, and no address. Only in a system transaction. */
  abstract giveUp(transaction: Transaction, imageId: string, fault: string): Promise<void>;
  /** Only in a system transaction. */
  abstract remove(transaction: Transaction, imageId: string): Promise<void>;
}
