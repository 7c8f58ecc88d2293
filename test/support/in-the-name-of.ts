import type { TenantTransaction } from '../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';

/**
 * A transaction that claims another tenant than the one it was opened for, which no code of the service can write: its
 * queries name the other tenant, and row-level security alone stands between.
 */
export function inTheNameOf(tenant: Tenant, transaction: TenantTransaction): TenantTransaction {
  return Object.create(transaction, { tenant: { value: tenant } }) as TenantTransaction;
}
