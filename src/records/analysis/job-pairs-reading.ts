import type { LookUpCursor } from '../../core/analysis/look-up-page.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { lookedToQuery, pairCountsQuery, rarestFirst, type MetadataPairs } from './job-pairs.js';

/** The pairs in the order in which they are looked up: the rarest first. */
export async function orderPairs(transaction: TenantTransaction, pairs: MetadataPairs): Promise<MetadataPairs> {
  if (Object.keys(pairs).length < 2) return pairs;
  const { sql, values } = pairCountsQuery(transaction.tenant, pairs);
  const { rows } = await statementsOf(transaction).run<{ counts: number[] }>(sql, values);
  return rarestFirst(pairs, rows[0]?.counts ?? []);
}

/** When the last job was made that the page behind `after` looked at; null: it looked at all that there are. */
export async function readLookedTo(
  transaction: TenantTransaction,
  pairs: MetadataPairs,
  after: LookUpCursor | null,
): Promise<Date | null> {
  const { sql, values } = lookedToQuery(transaction.tenant, pairs, after?.listedAt ?? null);
  const { rows } = await statementsOf(transaction).run<{ lookedTo: Date }>(sql, values);
  return rows[0]?.lookedTo ?? null;
}
