import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import type { Transaction, TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { LiteralTarget } from '../search-index/rows/element-values.js';
import { addressOf } from '../search-index/values/index-key.js';
import { resolveClientIds } from './client-ids.js';
import { MatchStatement, type MatchQuery, type Position } from './match-statement.js';
import { contentColumns } from './packed-content.js';
import { withinPage, type MeasuredRow } from './page-bytes.js';
import type { ResourceTarget, StoredResource } from './resource-store.js';
import { toAllStored, type StoredRow } from './stored-row.js';

export interface Match<T extends Resource = Resource> {
  readonly stored: StoredResource<T>;
  readonly position: Position;
}

export interface Page {
  /** In the requested order, also where the page lies before its position. */
  readonly matches: readonly Match[];
  /** True where there are more in the direction of the page. */
  readonly hasMore: boolean;
}

/** A resource by its id and by its number in the store. */
export interface ScannedResource {
  readonly id: string;
  readonly number: string;
}

/** The resources that a page includes, up to the limit. */
export interface Found {
  readonly stored: readonly StoredResource[];
  readonly isCutOff: boolean;
}

type FoundRow = StoredRow & MeasuredRow;
type PageRow = FoundRow & { readonly number: string };

const BY_ID: MatchQuery['order'] = [{ by: 'id', descending: false }];
const NOTHING: Found = { stored: [], isCutOff: false };

const COLUMNS = `r.number, v.version, v.last_updated, r.created_by, ${contentColumns('v')}`;
const STORED = `q.version, q.last_updated, q.created_by, ${contentColumns('q')}`;
const CONTENT = 'join fhir_versions v on v.resource = r.number and v.version = r.version';
const BY_ADDRESS = withinPage(
  `select ${COLUMNS} from unnest($3::text[], $4::text[]) t (type, id)
    join fhir_resources r on r.organization_id = $1 and r.environment = $2 and r.type = t.type and r.id = t.id and not r.is_deleted ${CONTENT} order by r.number limit $5`,
  STORED,
  'q.number',
);
/** Each resource once, however often it refers; ordered by number, so that the cut is always the same. */
const REFERRING = withinPage(
  `select ${COLUMNS} from (
      select distinct f.resource from unnest($4::uuid[]) t (address) join fhir_references f on f.link = any($3::bigint[]) and f.target = t.address) f
    join fhir_resources r on r.number = f.resource and r.organization_id = $1 and r.environment = $2 ${CONTENT} order by r.number limit $5`,
  STORED,
  'q.number',
);
/** `offset 0` keeps it a look-up of each by its own rows, as in condition-sql.ts. */
const REFERRED = `select distinct r.id from unnest($1::bigint[]) n (number)
  cross join lateral (select f.target from fhir_references f where f.resource = n.number and f.link = any($2::bigint[]) offset 0) x
  cross join lateral (select r.id, r.type from fhir_resources r where r.address = x.target and not r.is_deleted offset 0) r where r.type = $3`;

/** Finds resources by the rows that the store writes. Each call is part of the caller's transaction. */
@Injectable()
export class ResourceFinder {
  /** The ids here of those targets that are named by a client's own id, by `Type/id` as it is asked. */
  resolve(transaction: TenantTransaction, targets: readonly ResourceTarget[]): Promise<ReadonlyMap<string, string>> {
    return resolveClientIds(transaction, targets);
  }

  /** A page after the position, or before it; from the start where there is none. It ends sooner where its resources are large. */
  async page(
    transaction: Transaction,
    query: MatchQuery,
    limit: number,
    position: Position | null = null,
    backwards = false,
  ): Promise<Page> {
    const { sql, values } = new MatchStatement(query).page(limit + 1, position, backwards);
    const { rows } = await statementsOf(transaction).run<PageRow>(sql, values);
    const shown = rows.slice(0, limit);
    const stored = await toAllStored(shown);
    const matches = shown.map((row, at): Match => ({
      stored: stored[at]!,
      position: {
        keys: query.order.map((_, index) => (row as PageRow & Readonly<Record<string, string>>)[`k${index}`]!),
        number: row.number,
      },
    }));
    return { matches: backwards ? matches.reverse() : matches, hasMore: (rows[0]?.found ?? 0) > matches.length };
  }

  /** The first matches in the requested order, at most `limit`, and no more than a page holds. */
  async first(transaction: Transaction, query: MatchQuery, limit: number): Promise<StoredResource[]> {
    const { sql, values } = new MatchStatement(query).page(limit, null, false);
    const statements = statementsOf(transaction);
    // Look-ups by one term, such as an identifier, are many and all of one text, and planning one takes longer than running it.
    const { rows } = isByOneTerm(query)
      ? await statements.runPrepared<PageRow>(sql, values)
      : await statements.run<PageRow>(sql, values);
    return toAllStored(rows);
  }

  /** Ids of any matches, at most `limit`. */
  async ids(transaction: Transaction, query: MatchQuery, limit: number): Promise<string[]> {
    const { sql, values } = new MatchStatement(query).ids(limit);
    return (await statementsOf(transaction).run<{ id: string }>(sql, values)).rows.map(({ id }) => id);
  }

  /** Matches behind the id `after`, at most `limit`, in the order of their ids. */
  async idsAfter(
    transaction: Transaction,
    query: Omit<MatchQuery, 'order'>,
    limit: number,
    after: string | null,
  ): Promise<ScannedResource[]> {
    const { sql, values } = new MatchStatement({ ...query, order: BY_ID }).idsAfter(limit, after);
    return (await statementsOf(transaction).run<ScannedResource>(sql, values)).rows;
  }

  /** Ids of the resources of a type that the matches refer to by any of the links; null where more than `limit` match. */
  async referredIds(
    transaction: Transaction,
    query: MatchQuery,
    { links, type }: { readonly links: readonly string[]; readonly type: string },
    limit: number,
  ): Promise<string[] | null> {
    const { sql, values } = new MatchStatement(query).numbers(limit + 1);
    const { rows } = await statementsOf(transaction).run<{ number: string }>(sql, values);
    if (rows.length > limit) return null;
    const referred = await statementsOf(transaction).run<{ id: string }>(REFERRED, [
      rows.map(({ number }) => number),
      links,
      type,
    ]);
    return referred.rows.map(({ id }) => id);
  }

  /** Counts no further than `limit`. */
  async count(transaction: Transaction, query: MatchQuery, limit: number | null): Promise<number> {
    const { sql, values } = new MatchStatement(query).count(limit);
    return (await statementsOf(transaction).run<{ count: number }>(sql, values)).rows[0]!.count;
  }

  async estimate(transaction: Transaction, query: MatchQuery): Promise<number> {
    const { sql, values } = new MatchStatement(query).estimate();
    const { rows } = await statementsOf(transaction).run<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      sql,
      values,
    );
    return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'];
  }

  /** The existing resources among the targets, at most `limit`, and no more than a page holds. */
  async atAddresses(
    transaction: TenantTransaction,
    addresses: readonly LiteralTarget[],
    limit: number,
  ): Promise<Found> {
    const { tenant } = transaction;
    if (addresses.length === 0) return NOTHING;
    const values = [
      tenant.organizationId,
      tenant.environment,
      addresses.map(({ type }) => type),
      addresses.map(({ id }) => id),
      limit + 1,
    ];
    return foundOf((await statementsOf(transaction).run<FoundRow>(BY_ADDRESS, values)).rows, limit);
  }

  /** Resources that refer to any of the addresses by any of the links, at most `limit`, and no more than a page holds. */
  async referringTo(
    transaction: TenantTransaction,
    links: readonly string[],
    addresses: readonly LiteralTarget[],
    limit: number,
  ): Promise<Found> {
    const { tenant } = transaction;
    if (addresses.length === 0) return NOTHING;
    const values = [
      tenant.organizationId,
      tenant.environment,
      links,
      addresses.map(({ type, id }) => addressOf(tenant, type, id)),
      limit + 1,
    ];
    return foundOf((await statementsOf(transaction).run<FoundRow>(REFERRING, values)).rows, limit);
  }
}

function isByOneTerm({ where: [only, ...others] }: MatchQuery): boolean {
  return only?.kind === 'terms' && only.any.length === 1 && others.length === 0;
}

/** One more than the limit was requested, to tell whether there are too many. */
async function foundOf(rows: readonly FoundRow[], limit: number): Promise<Found> {
  const stored = await toAllStored(rows.slice(0, limit));
  return { stored, isCutOff: (rows[0]?.found ?? 0) > stored.length };
}
