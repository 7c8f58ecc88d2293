import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { contentColumns } from './packed-content.js';
import { withinPage, type MeasuredRow } from './page-bytes.js';
import type { ChangePlace, ChangesPage, ChangesQuery } from './resource-store.js';
import { toAllStored, type StoredRow } from './stored-row.js';

type ChangeRow = StoredRow & MeasuredRow & { readonly number: string; readonly ms: number };

/** Before the first and behind the last resource: an unbounded range is one range of the index, too. */
const EARLIEST = '-infinity';
const BEHIND_ALL: ChangePlace = {
  lastUpdatedMs: Number.POSITIVE_INFINITY,
  number: '9223372036854775807',
  version: 2 ** 31 - 1,
};

/** From $6 on, and older than the position in $7 to $9. */
const within = (at: string, number: string, version: string): string =>
  `${at} >= $6::timestamptz and (${at}, ${number}, ${version}) < (to_timestamp($7::double precision / 1000), $8::bigint, $9::int)`;

/** Present versions in one index, past ones in another, both in the order of change: of each type as many of either as the page takes. */
const CHANGES = withinPage(
  `select c.number, v.version, v.last_updated, r.created_by, v.is_deletion, ${contentColumns('v')} from (
      select c.* from unnest($3::text[], $4::boolean[]) t (type, own) cross join lateral (
        (select r.number, r.version, r.last_updated from fhir_resources r
          where r.organization_id = $1 and r.environment = $2 and r.type = t.type and (not t.own or r.created_by = $5) and ${within('r.last_updated', 'r.number', 'r.version')}
          order by r.last_updated desc, r.number desc limit $10)
        union all
        (select p.resource, p.version, p.last_updated from fhir_past_versions p
          where p.organization_id = $1 and p.environment = $2 and p.type = t.type and ${within('p.last_updated', 'p.resource', 'p.version')}
            and (not t.own or exists (select from fhir_resources r where r.number = p.resource and r.created_by = $5))
          order by p.last_updated desc, p.resource desc, p.version desc limit $10)) c
      order by c.last_updated desc, c.number desc, c.version desc limit $10) c
    join fhir_resources r on r.number = c.number join fhir_versions v on v.resource = c.number and v.version = c.version`,
  'q.version, q.last_updated, q.created_by, q.is_deletion, q.content, q.packed, q.number::text as number, (extract(epoch from q.last_updated) * 1000)::double precision as ms',
  'q.last_updated desc, q.number desc, q.version desc',
);

/** See ResourceStore.changes. */
export async function findChanges(
  transaction: TenantTransaction,
  { types, keyId, since, before, limit }: ChangesQuery,
): Promise<ChangesPage> {
  const { organizationId, environment } = transaction.tenant;
  const place = before ?? BEHIND_ALL;
  const values = [
    organizationId,
    environment,
    types.map(({ type }) => type),
    types.map(({ own }) => own),
    keyId,
    since ?? EARLIEST,
    place.lastUpdatedMs,
    place.number,
    place.version,
    limit + 1,
  ];
  const rows = (await statementsOf(transaction).run<ChangeRow>(CHANGES, values)).rows;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    versions: await toAllStored(shown),
    hasMore: (rows[0]?.found ?? 0) > shown.length,
    last: last === undefined ? null : { lastUpdatedMs: last.ms, number: last.number, version: last.version },
  };
}
