import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * FHIR resources, every version kept, and the rows that searches read.
 *
 * The index tables name what they index by a digest of tenant, element and value (src/fhir/search/values/index-key.ts), and a resource by its
 * number: narrow rows, one comparison to find them, statistics of their own for each value, and no value of a patient in an index.
 * Under row-level security only leakproof operators can use an index, hence equalities and ranges on plain columns throughout.
 */
export class CreateFhir1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...STATISTICS, FASTER_COMPRESSION, ...POLICIES, ...GRANTS]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null, environment text collate "C" not null`;

const TABLES = [
  `create table fhir_resources (
     number bigint generated always as identity,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     type text collate "C" not null,
     id text collate "C" not null check (id ~ '^[A-Za-z0-9.-]{1,64}$'),
     version int not null check (version > 0),
     last_updated timestamptz not null,
     -- The key whose client made it; null: the service itself.
     created_by uuid,
     -- The type's main clinical date, from and until (exclusive); -infinity where it has none.
     sort_at timestamptz not null,
     sort_end timestamptz,
     -- Longer than a day: few are, and searches by date look for those apart.
     is_long boolean not null,
     -- Names of the search parameters that it has a value for: what :missing reads.
     present text[] not null,
     primary key (organization_id, environment, type, id))`,

  // Written once. The present version's content lies here too, and nowhere else.
  `create table fhir_versions (
     resource bigint not null,
     version int not null check (version > 0),
     ${TENANT},
     last_updated timestamptz not null,
     author uuid,
     content json not null,
     primary key (resource, version))`,

  // What two clients' resources of one type cannot both have. The scope is the patient for a BodyStructure: ward numbers repeat between patients.
  `create table fhir_identifiers (
     ${TENANT},
     type text collate "C" not null,
     system text collate "C" not null,
     value text collate "C" not null,
     scope text collate "C" not null,
     resource bigint not null,
     primary key (organization_id, environment, type, system, value, scope))`,

  // Codes, identifiers and URLs. The qualifier is a digest of the system; foremost: the first row of its term, where a code stands with several systems.
  `create table fhir_terms (
     ${TENANT},
     term uuid not null,
     resource bigint not null,
     sort_at timestamptz not null,
     qualifier bigint not null,
     foremost boolean not null)`,

  `create table fhir_references (
     ${TENANT},
     link uuid not null,
     resource bigint not null,
     sort_at timestamptz not null,
     target_type text collate "C" not null,
     target_id text collate "C" not null)`,

  // Dates other than the main one.
  `create table fhir_dates (
     ${TENANT},
     link uuid not null,
     resource bigint not null,
     low timestamptz not null,
     high timestamptz not null)`,

  // Quantities in canonical units, and numbers. The code is that of what was measured, where a composite parameter asks for both.
  `create table fhir_quantities (
     ${TENANT},
     link uuid not null,
     resource bigint not null,
     sort_at timestamptz not null,
     low double precision not null,
     high double precision not null,
     code_system bigint not null,
     code text collate "C" not null,
     unit_system text collate "C" not null,
     unit text collate "C" not null)`,

  `create table fhir_strings (
     ${TENANT},
     link uuid not null,
     resource bigint not null,
     value text collate "C" not null,
     exact text collate "C" not null)`,
];

const INDEXES = [
  `create unique index fhir_resources_number on fhir_resources (number)`,
  `create index fhir_resources_by_date on fhir_resources (organization_id, environment, type, sort_at, number)`,
  `create index fhir_resources_long on fhir_resources (organization_id, environment, type, sort_at) where is_long`,
  `create index fhir_resources_by_change on fhir_resources (organization_id, environment, type, last_updated, number)`,
  `create index fhir_identifiers_of_resource on fhir_identifiers (resource)`,
  // With what row-level security looks at, so that counting matches need not visit the table.
  `create index fhir_terms_by_date on fhir_terms (term, sort_at, resource) include (qualifier, foremost, organization_id, environment)`,
  `create index fhir_terms_of_resource on fhir_terms (resource, term)`,
  `create index fhir_references_by_date on fhir_references (link, target_id, sort_at, resource) include (target_type, organization_id, environment)`,
  `create index fhir_references_of_resource on fhir_references (resource, link)`,
  `create index fhir_dates_from on fhir_dates (link, low)`,
  `create index fhir_dates_until on fhir_dates (link, high)`,
  `create index fhir_dates_of_resource on fhir_dates (resource, link)`,
  `create index fhir_quantities_by_date on fhir_quantities (link, code, sort_at, resource)
     include (low, high, unit, unit_system, code_system, organization_id, environment)`,
  `create index fhir_quantities_by_value on fhir_quantities (link, code, low)`,
  `create index fhir_quantities_of_resource on fhir_quantities (resource, link)`,
  `create index fhir_strings_by_value on fhir_strings (link, value)`,
  `create index fhir_strings_of_resource on fhir_strings (resource, link)`,
];

/** A key is of one tenant and mostly of one system: without these, the planner multiplies what does not multiply, and takes a thousand rows for ten. */
const STATISTICS = [
  `create statistics fhir_terms_depend (dependencies) on term, qualifier, organization_id from fhir_terms`,
  `create statistics fhir_references_depend (dependencies) on target_id, target_type, organization_id from fhir_references`,
  `create statistics fhir_quantities_depend (dependencies) on code, code_system, unit, unit_system from fhir_quantities`,
];

/** A server may be built without lz4; its own compression does then. */
const FASTER_COMPRESSION = `do $$ begin
     alter table fhir_versions alter column content set compression lz4;
   exception when feature_not_supported then null;
   end $$`;

const WRITTEN_ANEW = ['fhir_identifiers', 'fhir_terms', 'fhir_references', 'fhir_dates', 'fhir_quantities', 'fhir_strings'];
const TENANT_TABLES = ['fhir_resources', 'fhir_versions', ...WRITTEN_ANEW];

// What sutura_tenant_matches says, asked once a statement instead of once a row: searches pass many rows.
const OWN = `organization_id = (select nullif(current_setting('app.organization', true), '')::uuid) and environment = (select current_setting('app.environment', true))`;

const POLICIES = TENANT_TABLES.flatMap((table) => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy tenant on ${table} to sutura_app using (${OWN}) with check (${OWN})`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
]);

const GRANTS = [
  `grant select, insert, update, delete on ${TENANT_TABLES.join(', ')} to sutura_system`,
  `grant select, insert, update on fhir_resources to sutura_app`,
  `grant select, insert on fhir_versions to sutura_app`,
  `grant select, insert, delete on ${WRITTEN_ANEW.join(', ')} to sutura_app`,
];
