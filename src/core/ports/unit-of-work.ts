import type { Tenant } from '../tenancy/tenant.js';

/**
 * One database transaction, opaque to core. Whoever opens it passes it on: everything done with it is all or nothing.
 */
export abstract class Transaction {
  /** Runs once, after the commit; never runs when the transaction fails. Must not throw. */
  abstract afterCommit(action: () => void): void;
}

/** A transaction about one tenant: repositories read and write rows of this tenant alone. */
export abstract class TenantTransaction extends Transaction {
  abstract readonly tenant: Tenant;
}

/** A transaction of the service's own work, over all tenants. */
export abstract class SystemTransaction extends Transaction {
  /** The same transaction, about this tenant. Row-level security stays open: the queries' own predicates hold it. */
  abstract about(tenant: Tenant): TenantTransaction;
}

/** Opens transactions. */
export abstract class UnitOfWork {
  /** Sees and writes this tenant's rows only (row-level security as well as the queries' own predicates). */
  abstract inTenant<T>(tenant: Tenant, work: (transaction: TenantTransaction) => Promise<T>): Promise<T>;
  /** For the service's own work over all tenants: workers, sweeps, administration. Never reached from a caller's key. */
  abstract inSystem<T>(work: (transaction: SystemTransaction) => Promise<T>): Promise<T>;
}
