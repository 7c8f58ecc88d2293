import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { digest64 } from '../search-index/values/index-key.js';
import type { CriteriaLock, ResourceTarget } from './resource-store.js';

// `offset 0` keeps each of these a look-up of its own by the primary key; for the selects see sql-resource-reading.ts.
const LOCK_ROWS = `select from fhir_resources where number in (
    select found.number from unnest((select $3::text[]), (select $4::text[])) t (type, id) cross join lateral (select r.number from fhir_resources r
      where r.organization_id = $1 and r.environment = $2 and r.type = t.type and r.id = t.id offset 0) found) and not is_deleted
  order by number for no key update`;
const LOCK_CRITERIA = 'select pg_advisory_xact_lock(key) from unnest($1::bigint[]) key';

/** Nobody else writes these until the transaction ends. Answers how many of them exist; what was deleted does not. */
export async function lockRows(transaction: TenantTransaction, targets: readonly ResourceTarget[]): Promise<number> {
  const { organizationId, environment } = transaction.tenant;
  const { affected } = await statementsOf(transaction).runPrepared(LOCK_ROWS, [
    organizationId,
    environment,
    targets.map(({ type }) => type),
    targets.map(({ id }) => id),
  ]);
  return affected;
}

/** As ResourceStore.lockAllCriteria, by advisory locks. Two callers take what they have in common in the same order. */
export async function lockAllCriteria(transaction: TenantTransaction, locks: readonly CriteriaLock[]): Promise<void> {
  const keys = new Set(locks.map((lock) => keyOf(transaction.tenant, lock)));
  await statementsOf(transaction).runPrepared(LOCK_CRITERIA, [[...keys].sort()]);
}

function keyOf({ organizationId, environment }: Tenant, { type, criteria }: CriteriaLock): string {
  const parameters = new URLSearchParams(criteria);
  parameters.sort();
  return digest64(['fhir.criteria', organizationId, environment, type, parameters.toString()].join(' '));
}
