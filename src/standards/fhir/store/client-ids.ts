import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { ResourceTarget } from './resource-store.js';

/** UUIDv7, and what the service makes of one for its own resources (`{report}-area`): no client gives an id of this form. */
const SERVER_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?:-[A-Za-z0-9.-]*)?$/;

const RESOLVE = `select c.type, c.client_id as "clientId", c.id from unnest($3::text[], $4::text[]) t (type, id)
  cross join lateral (select * from fhir_client_ids c where c.organization_id = $1 and c.environment = $2 and c.type = t.type and c.client_id = t.id offset 0) c`;
const KEEP =
  'insert into fhir_client_ids (organization_id, environment, type, client_id, id) values ($1, $2, $3, $4, $5)';

/** True for an id of the form that the server gives, which is never a client's. */
export function isServerId(id: string): boolean {
  return SERVER_FORM.test(id);
}

/** `Type/id` as it is asked, and the id here: of those targets that are named by a client's own id. Asks the database only where one may be. */
export async function resolveClientIds(
  transaction: TenantTransaction,
  targets: readonly ResourceTarget[],
): Promise<ReadonlyMap<string, string>> {
  const { tenant } = transaction;
  const wanted = targets.filter(({ id }) => !isServerId(id));
  if (wanted.length === 0) return new Map();
  const values = [
    tenant.organizationId,
    tenant.environment,
    wanted.map(({ type }) => type),
    wanted.map(({ id }) => id),
  ];
  const { rows } = await statementsOf(transaction).runPrepared<{ type: string; clientId: string; id: string }>(
    RESOLVE,
    values,
  );
  return new Map(rows.map(({ type, clientId, id }) => [`${type}/${clientId}`, id]));
}

/** From here on the client's id names this resource. The caller holds the lock of the client's id. */
export async function keepClientId(
  transaction: TenantTransaction,
  { type, id: clientId }: ResourceTarget,
  id: string,
): Promise<void> {
  const { organizationId, environment } = transaction.tenant;
  await statementsOf(transaction).runPrepared(KEEP, [organizationId, environment, type, clientId, id]);
}
