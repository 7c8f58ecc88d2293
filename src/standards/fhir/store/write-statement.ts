import type { Resource } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { pacer } from '../../../platform/turns/turns.js';
import type { IndexRows } from '../search-index/rows/index-rows.js';
import { parameterNumber } from '../search-index/values/index-key.js';
import { statusOf, writtenContentOf, type WrittenContent } from './packed-content.js';
import type { UniqueIdentifiers } from './resource-identifiers.js';

/** A version to be written, with everything that goes with it. */
export interface VersionToWrite {
  readonly resource: Resource;
  readonly version: number;
  readonly lastUpdated: Date;
  readonly author: string | null;
  readonly rows: IndexRows;
  /** null for the service, whose identifiers are its own matter. */
  readonly unique: UniqueIdentifiers | null;
  /** The version says that the resource is gone. */
  readonly isDeletion?: boolean;
}

/** A version with its resource as JSON, in bytes where it is long. */
type WrittenVersion = VersionToWrite & WrittenContent;

/** A version that could not be written. */
export type RefusedRow = Readonly<{ place: number; taken: boolean }>;

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

type Columns = Readonly<Record<string, string>>;

/** Versions by their place in the list; the tenant is $1 and $2. */
const WRITTEN: Columns = {
  type: 'text',
  id: 'text',
  version: 'int',
  lastUpdated: 'timestamptz',
  author: 'uuid',
  sortAt: 'timestamptz',
  sortEnd: 'timestamptz',
  isLong: 'boolean',
  present: 'text',
  isDeletion: 'boolean',
  content: 'text',
  packed: 'text',
  status: 'text',
  patientId: 'uuid',
};
const FIRST_VERSION = `made as (insert into fhir_resources (organization_id, environment, type, id, version, last_updated, created_by, sort_at, sort_end, is_long, present)
    select $1::uuid, $2::text, w.type, w.id, w.version, w.last_updated, w.author, w.sort_at, w.sort_end, w.is_long, w.present::int[] from w
    on conflict do nothing returning number, type, id),
  r as (select made.number, w.place, w.version, w.last_updated, w.author, w.sort_at, w.is_deletion, w.content, w.packed, w.status, w.patient_id from made join w using (type, id))`;
const NEXT_VERSION = `r as (update fhir_resources f set version = w.version, last_updated = w.last_updated, sort_at = w.sort_at, sort_end = w.sort_end, is_long = w.is_long, present = w.present::int[],
      is_deleted = w.is_deletion
    from w join before using (place) where f.number = before.number and f.version = w.version - 1
    returning f.number, w.place, w.version, w.last_updated, w.author, w.sort_at, w.is_deletion, w.content, w.packed, w.status, w.patient_id)`;
/** The version stays as it is: only what it is found by is made anew. */
const PRESENT_VERSION = `r as (update fhir_resources f set sort_at = w.sort_at, sort_end = w.sort_end, is_long = w.is_long, present = w.present::int[]
    from w where f.organization_id = $1::uuid and f.environment = $2::text and f.type = w.type and f.id = w.id and f.version = w.version
    returning f.number, w.place, f.last_updated, w.author, w.sort_at)`;
const VERSIONS = `v as (insert into fhir_versions (resource, version, organization_id, environment, last_updated, author, is_deletion, content, packed, status, patient_id)
    select r.number, r.version, $1, $2, r.last_updated, r.author, r.is_deletion, r.content::json, decode(r.packed, 'base64'), r.status, r.patient_id from r)`;

/** The number of $1 and $2, which every organization has from the beginning: without it nothing is written, rather than a resource that no search finds. */
const TENANT =
  'tenant as (select number from fhir_tenants where organization_id = $1::uuid and environment = $2::text)';

/** Tables of index rows: columns with their types, beside tenant and resource; sort_at is the resource's own. */
const TABLES = {
  terms: { table: 'fhir_terms', columns: { term: 'uuid', qualifier: 'bigint', foremost: 'boolean' }, sorted: true },
  references: {
    table: 'fhir_references',
    columns: { link: 'bigint', target: 'uuid' },
    sorted: true,
  },
  dates: { table: 'fhir_dates', columns: { link: 'bigint', low: 'timestamptz', high: 'timestamptz' }, sorted: false },
  quantities: {
    table: 'fhir_quantities',
    columns: {
      link: 'bigint',
      code: 'text',
      codeSystem: 'bigint',
      unitSystem: 'text',
      unit: 'text',
      low: 'double precision',
      high: 'double precision',
      givenLow: 'double precision',
      givenHigh: 'double precision',
    },
    sorted: true,
  },
  strings: { table: 'fhir_strings', columns: { link: 'bigint', value: 'text', exact: 'text' }, sorted: false },
} as const;

export const INDEX_TABLES = ['fhir_identifiers', ...Object.values(TABLES).map(({ table }) => table)];

/** Takes away the index rows of the versions before: a statement does not see what it is writing itself. */
const CLEARED = [
  // `offset 0` keeps each of these a look-up of its own, however many resources the tenant has.
  `before as (select w.place, found.number from w cross join lateral (select f.number from fhir_resources f
      where f.organization_id = $1::uuid and f.environment = $2::text and f.type = w.type and f.id = w.id offset 0) found)`,
  ...Object.values(TABLES).map(
    ({ table }) => `${table}_gone as (delete from ${table} x using before where x.resource = before.number)`,
  ),
];

/**
 * One statement: `first` versions of these resources, or the `next` one of each, with their identifiers and index rows in place of those of the
 * version before. Identifiers of the version before are gone already (CLEAR_IDENTIFIERS). Answers with the `place` (from 1) of each that could not be
 * written: an identifier is `taken`, or its id exists (for a first version; then nothing of it was written), or another version than the one before does. Then the transaction
 * must not be committed, unless it was one first version without identifiers.
 */
function writeStatement(
  { organizationId, environment }: Tenant,
  kind: 'first' | 'next',
  writes: readonly WrittenVersion[],
): Statement {
  const values: unknown[] = [organizationId, environment];
  const written = unnested(WRITTEN, writes.map(toColumns), values);
  const identifiers = writes.flatMap(({ unique, resource: { resourceType: type } }, at) =>
    (unique?.identifiers ?? []).map((each) => ({ place: at + 1, type, ...each, scope: unique!.scope })),
  );
  const parts = [
    TENANT,
    `w as (select * from ${written.source} with ordinality w (${written.names}, place))`,
    ...(kind === 'first' ? [FIRST_VERSION] : [...CLEARED, NEXT_VERSION]),
    VERSIONS,
    ...(identifiers.length === 0 ? [] : [identifierPart(identifiers, values)]),
    ...Object.entries(TABLES).flatMap(([name, table]) => indexPart(name, table, writes, values)),
  ];
  const taken = identifiers.length === 0 ? '' : '\nunion all select place, true from taken';
  return {
    sql: `with ${parts.join(',\n  ')}\nselect place::int, false as taken from w where place not in (select place from r)${taken}`,
    values,
  };
}

/** Writes the versions. Those that could not be written. */
export async function writeVersions(
  transaction: TenantTransaction,
  kind: 'first' | 'next',
  versions: readonly VersionToWrite[],
): Promise<RefusedRow[]> {
  const written: WrittenVersion[] = [];
  const pace = pacer();
  for (const version of versions) {
    written.push({ ...version, ...(await writtenContentOf(version.resource)) });
    await pace();
  }
  const { sql, values } = writeStatement(transaction.tenant, kind, written);
  const statements = statementsOf(transaction);
  // Texts of statements with long resources are many.
  const { rows } = await (written.some(({ content }) => Buffer.isBuffer(content))
    ? statements.run<RefusedRow>(sql, values)
    : statements.runPrepared<RefusedRow>(sql, values));
  return rows;
}

/** The index rows of a version that is written already, made anew after CLEAR_ROWS. */
export function indexStatement({ organizationId, environment }: Tenant, version: VersionToWrite): Statement {
  const write = { ...version, content: null, packed: null, patientId: null };
  const values: unknown[] = [organizationId, environment];
  const written = unnested(WRITTEN, [toColumns(write)], values);
  const parts = [
    TENANT,
    `w as (select * from ${written.source} with ordinality w (${written.names}, place))`,
    PRESENT_VERSION,
    ...Object.entries(TABLES).flatMap(([name, table]) => indexPart(name, table, [write], values)),
  ];
  return { sql: `with ${parts.join(',\n  ')}\nselect number from r`, values };
}

/** Frees the unique identifiers of the present version. */
export const CLEAR_IDENTIFIERS = clearing(['fhir_identifiers']);
/** Removes the index rows of the present version; unique identifiers stay taken. */
export const CLEAR_ROWS = clearing(INDEX_TABLES.filter((table) => table !== 'fhir_identifiers'));

function clearing(tables: readonly string[]): string {
  return `with r as (select number from fhir_resources where organization_id = $1 and environment = $2 and type = $3 and id = $4),
  ${tables.map((table) => `${table}_gone as (delete from ${table} x using r where x.resource = r.number)`).join(', ')}
  select number from r`;
}

/** A day and an hour: the longest day. */
const LONG_MS = 25 * 3_600_000;

function isLong(clinical: IndexRows['clinical']): boolean {
  if (clinical === null) return false;
  const { low, high } = clinical;
  return !(low instanceof Date && high instanceof Date) || high.getTime() - low.getTime() > LONG_MS;
}

function toColumns({
  resource,
  version,
  lastUpdated,
  author,
  rows: { clinical, present },
  isDeletion = false,
  content,
  packed,
  patientId,
}: WrittenVersion): Record<keyof typeof WRITTEN, unknown> {
  const { resourceType: type, id } = resource;
  return {
    type,
    id,
    version,
    lastUpdated,
    author,
    sortAt: clinical?.low ?? '-infinity',
    sortEnd: clinical?.high ?? null,
    isLong: isLong(clinical),
    present: arrayText(present.map(parameterNumber)),
    isDeletion,
    content,
    packed,
    // What an order by it reads of a packed version.
    status: packed === null ? null : statusOf(resource),
    patientId,
  };
}

/** PostgreSQL's own writing of an array, since arrays of unequal length cannot stand in an array. For elements that need no quotes. */
function arrayText(elements: readonly unknown[]): string {
  return `{${elements.join(',')}}`;
}

function identifierPart(identifiers: readonly { readonly place: number }[], values: unknown[]): string {
  const { source, names } = unnested(
    { place: 'int', type: 'text', system: 'text', value: 'text', scope: 'text' },
    identifiers,
    values,
  );
  return `u as (select * from ${source} u (${names})),
  kept as (insert into fhir_identifiers (organization_id, environment, type, system, value, scope, resource)
    select $1, $2, u.type, u.system, u.value, u.scope, r.number from r join u using (place) on conflict do nothing returning type, system, value, scope),
  taken as (select place from u where (type, system, value, scope) not in (select type, system, value, scope from kept))`;
}

function indexPart(
  name: string,
  { table, columns, sorted }: { table: string; columns: Columns; sorted: boolean },
  writes: readonly VersionToWrite[],
  values: unknown[],
): string[] {
  const rows = writes.flatMap(({ rows: all }, at) =>
    all[name as keyof typeof TABLES].map((row) => ({ ...row, place: at + 1 })),
  );
  if (rows.length === 0) return [];
  const { source, names } = unnested({ ...columns, place: 'int' }, rows, values);
  const own = toNames(Object.keys(columns));
  return [
    `${name}_ as (insert into ${table} (tenant, resource, ${sorted ? 'sort_at, ' : ''}${own.join(', ')})
    select (select number from tenant), r.number, ${sorted ? 'r.sort_at, ' : ''}${own.map((each) => `u.${each}`).join(', ')} from r join ${source} u (${names}) using (place))`,
  ];
}

/** Rows as one array for each column, so that one statement takes any number of them. */
function unnested(
  columns: Columns,
  rows: readonly object[],
  values: unknown[],
): { readonly source: string; readonly names: string } {
  const arrays = Object.entries(columns).map(([key, type]) => {
    const elements = rows.map((row) => (row as Record<string, unknown>)[key]);
    // The driver looks at each character of an array, and sends bytes as they are.
    return elements.some((element) => Buffer.isBuffer(element))
      ? `array[${elements.map((element) => `$${values.push(element)}::${type}`).join(', ')}]`
      : `$${values.push(arrayOf(type, elements))}::${type}[]`;
  });
  return { source: `unnest(${arrays.join(', ')})`, names: toNames(Object.keys(columns)).join(', ') };
}

/** Values of these types have no character that an array must quote; for the others the driver looks at each one. */
const UNQUOTED = new Set(['uuid', 'bigint', 'int', 'boolean', 'double precision']);

function arrayOf(type: string, elements: readonly unknown[]): unknown {
  return UNQUOTED.has(type)
    ? arrayText(elements.map((element) => (element === null || element === undefined ? 'NULL' : String(element))))
    : elements;
}

function toNames(keys: readonly string[]): string[] {
  return keys.map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
