import type { Resource } from '@medplum/fhirtypes';
import type { Tenant } from '../../core/tenancy/tenant.js';
import type { IndexRows } from '../search/index/index-rows.js';
import type { UniqueIdentifiers } from './resource-identifiers.js';

/** A version to be written, with everything that goes with it. */
export interface VersionToWrite {
  readonly tenant: Tenant;
  readonly resource: Resource;
  readonly version: number;
  readonly lastUpdated: Date;
  readonly author: string | null;
  readonly rows: IndexRows;
  /** null: of the service, whose identifiers are its own matter. */
  readonly unique: UniqueIdentifiers | null;
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

const FIRST_VERSION = `insert into fhir_resources (organization_id, environment, type, id, version, last_updated, created_by, sort_at, sort_end, is_long, present)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning number`;
const NEXT_VERSION = `update fhir_resources set version = $5, last_updated = $6, sort_at = $8, sort_end = $9, is_long = $10, present = $11
  where organization_id = $1 and environment = $2 and type = $3 and id = $4 and version = $5 - 1 returning number`;
// In the first version its author is who created it; $7 is used once in either statement.
const VERSION = `insert into fhir_versions (resource, version, organization_id, environment, last_updated, author, content)
  select number, $5, $1, $2, $6, $7, $12 from r`;

/** Tables of index rows: columns with their types, beside tenant and resource; sort_at is the resource's own. */
const TABLES = {
  terms: { table: 'fhir_terms', columns: { term: 'uuid', qualifier: 'bigint', foremost: 'boolean' }, sorted: true },
  references: { table: 'fhir_references', columns: { link: 'uuid', targetType: 'text', targetId: 'text' }, sorted: true },
  dates: { table: 'fhir_dates', columns: { link: 'uuid', low: 'timestamptz', high: 'timestamptz' }, sorted: false },
  quantities: {
    table: 'fhir_quantities',
    columns: { link: 'uuid', code: 'text', codeSystem: 'bigint', unitSystem: 'text', unit: 'text', low: 'double precision', high: 'double precision' },
    sorted: true,
  },
  strings: { table: 'fhir_strings', columns: { link: 'uuid', value: 'text', exact: 'text' }, sorted: false },
} as const;

export const INDEX_TABLES = ['fhir_identifiers', ...Object.values(TABLES).map(({ table }) => table)];

/** One statement: the resource, its version, its identifiers and its index rows, or none of them. Returns no row where a present version is not there. */
export function writeStatement(write: VersionToWrite): Statement {
  const { tenant, resource, version, lastUpdated, author, rows } = write;
  const values: unknown[] = [
    ...[tenant.organizationId, tenant.environment, resource.resourceType, resource.id, version, lastUpdated, author],
    ...[rows.clinical?.low ?? '-infinity', rows.clinical?.high ?? null, isLong(rows.clinical), rows.present, JSON.stringify(resource)],
  ];
  const parts = [
    `r as (${typed(version === 1 ? FIRST_VERSION : NEXT_VERSION)})`,
    `v as (${typed(VERSION)})`,
    ...(write.unique === null ? [] : identifierPart(write.unique, values)),
    ...Object.entries(TABLES).flatMap(([name, table]) => indexPart(name, table, rows[name as keyof typeof TABLES], values)),
  ];
  return { sql: `with ${parts.join(',\n')}\nselect number from r`, values };
}

/** Takes away the rows of the present version. */
export const CLEAR_INDEX = `with r as (select number from fhir_resources where organization_id = $1 and environment = $2 and type = $3 and id = $4),
  ${INDEX_TABLES.map((table) => `${table}_gone as (delete from ${table} x using r where x.resource = r.number)`).join(', ')}
  select number from r`;

/** Of a day and an hour, which a day can have. */
const LONG_MS = 25 * 3_600_000;

function isLong(clinical: IndexRows['clinical']): boolean {
  if (clinical === null) return false;
  const { low, high } = clinical;
  return !(low instanceof Date && high instanceof Date) || high.getTime() - low.getTime() > LONG_MS;
}

/** Parameters that stand in a select list have no type of their own. */
function typed(sql: string): string {
  const types: Record<string, string> = { $1: 'uuid', $2: 'text', $3: 'text', $4: 'text', $5: 'int', $6: 'timestamptz', $7: 'uuid', $8: 'timestamptz', $9: 'timestamptz', $10: 'boolean', $11: 'text[]', $12: 'json' };
  return sql.replace(/\$\d+/g, (parameter) => `${parameter}::${types[parameter]}`);
}

function identifierPart({ scope, identifiers }: UniqueIdentifiers, values: unknown[]): string[] {
  if (identifiers.length === 0) return [];
  const [systems, texts, place] = [values.push(identifiers.map(({ system }) => system)), values.push(identifiers.map(({ value }) => value)), values.push(scope)];
  return [
    `i as (insert into fhir_identifiers (organization_id, environment, type, system, value, scope, resource)
      select ${typed('$1, $2, $3')}, u.system, u.value, $${place}::text, r.number from r, unnest($${systems}::text[], $${texts}::text[]) u (system, value))`,
  ];
}

function indexPart(name: string, { table, columns, sorted }: { table: string; columns: Readonly<Record<string, string>>; sorted: boolean }, rows: readonly object[], values: unknown[]): string[] {
  if (rows.length === 0) return [];
  const keys = Object.keys(columns);
  const arrays = keys.map((key) => `$${values.push(rows.map((row) => (row as Record<string, unknown>)[key]))}::${columns[key]}[]`);
  const names = keys.map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return [
    `${name}_ as (insert into ${table} (organization_id, environment, resource, ${sorted ? 'sort_at, ' : ''}${names.join(', ')})
      select ${typed('$1, $2')}, r.number, ${sorted ? `${typed('$8')}, ` : ''}${names.map((each) => `u.${each}`).join(', ')} from r, unnest(${arrays.join(', ')}) u (${names.join(', ')}))`,
  ];
}
