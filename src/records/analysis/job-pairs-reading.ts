import type { LookUpPage } from '../../core/analysis/look-up-page.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { pairCountsQuery, rarestFirst, type MetadataPairs, type Pair } from './job-pairs.js';

/** The pairs in the order in which they are looked up: the rarest first. */
export async function orderPairs(transaction: TenantTransaction, pairs: MetadataPairs): Promise<readonly Pair[]> {
  if (Object.keys(pairs).length < 2) return Object.entries(pairs);
  const { sql, values } = pairCountsQuery(transaction.tenant, pairs);
  const { rows } = await statementsOf(transaction).run<{ counts: number[] }>(sql, values);
  return rarestFirst(pairs, rows[0]?.counts ?? []);
}

/** As `JobsWithPairs.page` answers: an item in each row, or one row without. */
export type LookedRow<Item> = (Item | { readonly id: null }) & { readonly lookedTo: Date | null };

/** The page of those rows. */
export function lookUpPageOf<Item extends { readonly id: string }>(rows: readonly LookedRow<Item>[]): LookUpPage<Item> {
  return { items: rows.filter((row) => row.id !== null) as readonly Item[], lookedTo: rows[0]?.lookedTo ?? null };
}
