import type { SealedBlock } from '../../core/audit/audit-export.js';
import type { BlockFilter } from '../../core/audit/audit-log.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, type SystemStatements } from '../../platform/database/statements.js';

/** A redacted row comes with the digest that it was sealed with. */
const LINE = `case when event.redacted_digest is null then sutura_audit_text(event)
  else '{"redacted":{"digest":"' || encode(event.redacted_digest, 'hex') || '","by":"' || coalesce(event.redacted_by::text, '') || '"},"row":' || sutura_audit_text(event) || '}' end`;
/** The seals of each chain whose rows are still in the database, and not in an archive. */
const CHAINS = `select organization_id as "organizationId", environment, min(number) as first, max(number) as last from audit_seals seal
  where not exists (select from audit_archives archive where archive.organization_id = seal.organization_id and archive.environment = seal.environment
      and archive.state <> 'writing' and archive.last >= seal.number)
    and ($1::uuid is null or organization_id = $1) and ($2::text is null or environment = $2)
  group by organization_id, environment order by organization_id, environment`;
const BLOCK = `select to_char(seal.sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "sealedAt", encode(seal.hash, 'hex') as hash,
    coalesce((select encode(before.hash, 'hex') from audit_seals before
      where before.organization_id = $1 and before.environment = $2 and before.number = $3 - 1), '') as previous,
    coalesce((select array_agg(${LINE} order by event.id) from audit_events event where event.id = any (seal.event_ids)), '{}') as rows
  from audit_seals seal where seal.organization_id = $1 and seal.environment = $2 and seal.number = $3`;

interface Chain extends Tenant {
  readonly first: number;
  readonly last: number;
}

/** Seals with their rows as they were hashed. A deleted seal shows as a gap in the numbers. */
export async function* readBlocks(
  statements: SystemStatements,
  { organizationId, environment, first: from = 1, last: to = Number.MAX_SAFE_INTEGER }: BlockFilter,
): AsyncIterable<SealedBlock> {
  if (organizationId !== undefined && !isCanonicalUuid(organizationId)) return;
  const chains = await statements.run<Chain>(CHAINS, [organizationId ?? null, environment ?? null]);
  for (const { first, last, ...tenant } of chains.rows)
    for (let number = Math.max(first, from); number <= Math.min(last, to); number += 1) {
      const values = [tenant.organizationId, tenant.environment, number];
      const { rows } = await statements.run<Omit<SealedBlock, 'number' | keyof Tenant>>(BLOCK, values);
      if (rows[0] !== undefined) yield { ...tenant, number, ...rows[0] };
    }
}
