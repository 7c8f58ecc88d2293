import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rows that searches read, in half the bytes. A tenant is a number of four bytes instead of an id and a word. Elements are named by 64 bits of
 * their digest, of which there are few hundred a tenant; values still by 128. What a reference names is a digest of type and id, which a resource has
 * as its `address`. The index by resource has the resource alone, since nobody asks it for more: PostgreSQL then keeps each number once. Parameters
 * that a resource has a value for are numbers, not names.
 *
 * Rows are written anew, so that the tables need their room twice until the transaction ends; docs/upgrade.md says what it takes.
 */
export class NarrowFhirIndex1764780946000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TENANTS, ...RESOURCES]) await runner.query(statement);
    for (const table of TABLES) {
      await runner.query(`alter table ${table.name} rename to ${table.name}_before`);
      await runner.query(`create table ${table.name} (${table.columns})`);
      await runner.query(`grant select, insert, update, delete on ${table.name} to sutura_system`);
      await runner.query(`grant select, insert, delete on ${table.name} to sutura_app`);
      for (const policy of policiesOf(table.name)) await runner.query(policy);
      // The owner of the tables is bound by row-level security, too, and may see none of the rows.
      await runner.query('set local role sutura_system');
      await runner.query(`insert into ${table.name} (${table.into}) ${table.from}`);
      await runner.query('reset role');
      await runner.query(`drop table ${table.name}_before`);
      for (const statement of table.indexes) await runner.query(statement);
      await runner.query(`analyze ${table.name}`);
    }
    for (const statement of AFTER) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const OWN = `organization_id = (select nullif(current_setting('app.organization', true), '')::uuid) and environment = (select current_setting('app.environment', true))`;

const TENANTS = [
  `create table fhir_tenants (
     number int generated always as identity primary key,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     unique (organization_id, environment) include (number))`,
  `alter table fhir_tenants enable row level security`,
  `alter table fhir_tenants force row level security`,
  `create policy tenant on fhir_tenants to sutura_app using (${OWN}) with check (${OWN})`,
  `create policy service on fhir_tenants to sutura_system using (true) with check (true)`,
  `grant select, insert on fhir_tenants to sutura_system`,
  `grant select on fhir_tenants to sutura_app`,
  `set local role sutura_system`,
  `insert into fhir_tenants (organization_id, environment)
     select organizations.id, part.environment from organizations cross join (values ('test'), ('live')) as part (environment) order by organizations.id, part.environment`,
  `reset role`,
  // Each organization has its two numbers from its first moment on, so that no writer has to make them.
  `create function sutura_number_tenants() returns trigger language plpgsql as
   $$ begin
     insert into fhir_tenants (organization_id, environment) values (new.id, 'test'), (new.id, 'live');
     return null;
   end $$`,
  `create trigger number_tenants after insert on organizations for each row execute function sutura_number_tenants()`,
];

/** As src/standards/fhir/search-index/values/index-key.ts makes them: the first 32 bits of a name's digest, and the first 128 of an address's. */
const RESOURCES = [
  `create function sutura_parameter_numbers(names text[]) returns int[] language sql immutable as
   $$ select coalesce(array_agg(('x' || left(encode(sha256(name::bytea), 'hex'), 8))::bit(32)::int order by place), '{}') from unnest(names) with ordinality given (name, place) $$`,
  `alter table fhir_resources
     alter column present type int[] using sutura_parameter_numbers(present),
     add column address uuid not null generated always as (left(encode(sha256(
       organization_id::text::bytea || '\\x00'::bytea || environment::bytea || '\\x00'::bytea || type::bytea || '\\x00'::bytea || id::bytea), 'hex'), 32)::uuid) stored`,
  `drop function sutura_parameter_numbers(text[])`,
  `create index fhir_resources_by_address on fhir_resources (address)`,
];

function policiesOf(table: string): string[] {
  // Whoever reads it sees one row of fhir_tenants at most. Asked once a statement instead of once a row: searches pass many rows.
  const own = 'tenant = (select number from fhir_tenants)';
  return [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy tenant on ${table} to sutura_app using (${own}) with check (${own})`,
    `create policy service on ${table} to sutura_system using (true) with check (true)`,
  ];
}

/** The first 64 bits of a digest of which the old rows had 128. */
const LINK = `('x' || left(replace(wide.link::text, '-', ''), 16))::bit(64)::bigint`;
const TARGET = `left(encode(sha256(convert_to(wide.organization_id::text, 'UTF8') || '\\x00'::bytea || convert_to(wide.environment, 'UTF8') || '\\x00'::bytea
  || convert_to(wide.target_type, 'UTF8') || '\\x00'::bytea || convert_to(wide.target_id, 'UTF8')), 'hex'), 32)::uuid`;

const from = (table: string, columns: string): string =>
  `select own.number, ${columns} from ${table}_before wide join fhir_tenants own on own.organization_id = wide.organization_id and own.environment = wide.environment`;

interface NarrowTable {
  readonly name: string;
  /** Long ones first: PostgreSQL fills up each to its own boundary. */
  readonly columns: string;
  readonly into: string;
  readonly from: string;
  readonly indexes: readonly string[];
}

const TABLES: readonly NarrowTable[] = [
  {
    name: 'fhir_terms',
    columns: `term uuid not null, resource bigint not null, sort_at timestamptz not null, qualifier bigint not null, tenant int not null, foremost boolean not null`,
    into: 'tenant, term, resource, sort_at, qualifier, foremost',
    from: from('fhir_terms', 'wide.term, wide.resource, wide.sort_at, wide.qualifier, wide.foremost'),
    indexes: [
      // With what row-level security looks at, so that counting matches need not visit the table.
      `create index fhir_terms_by_date on fhir_terms (term, sort_at, resource) include (qualifier, tenant, foremost)`,
      `create index fhir_terms_of_resource on fhir_terms (resource)`,
      // A key is of one tenant and mostly of one system: without these, the planner multiplies what does not multiply.
      `create statistics fhir_terms_depend (dependencies) on term, qualifier, tenant from fhir_terms`,
    ],
  },
  {
    name: 'fhir_references',
    columns: `target uuid not null, link bigint not null, resource bigint not null, sort_at timestamptz not null, tenant int not null`,
    into: 'tenant, link, resource, sort_at, target',
    from: from('fhir_references', `${LINK}, wide.resource, wide.sort_at, ${TARGET}`),
    indexes: [
      `create index fhir_references_by_date on fhir_references (link, target, sort_at, resource) include (tenant)`,
      `create index fhir_references_of_resource on fhir_references (resource)`,
      `create statistics fhir_references_depend (dependencies) on target, tenant from fhir_references`,
    ],
  },
  {
    name: 'fhir_dates',
    columns: `link bigint not null, resource bigint not null, low timestamptz not null, high timestamptz not null, tenant int not null`,
    into: 'tenant, link, resource, low, high',
    from: from('fhir_dates', `${LINK}, wide.resource, wide.low, wide.high`),
    indexes: [
      `create index fhir_dates_from on fhir_dates (link, low)`,
      `create index fhir_dates_until on fhir_dates (link, high)`,
      `create index fhir_dates_of_resource on fhir_dates (resource)`,
    ],
  },
  {
    name: 'fhir_quantities',
    columns: `link bigint not null, resource bigint not null, sort_at timestamptz not null, low double precision not null, high double precision not null,
      given_low double precision, given_high double precision, code_system bigint not null, tenant int not null,
      code text collate "C" not null, unit_system text collate "C" not null, unit text collate "C" not null`,
    into: 'tenant, link, resource, sort_at, low, high, given_low, given_high, code_system, code, unit_system, unit',
    from: from(
      'fhir_quantities',
      `${LINK}, wide.resource, wide.sort_at, wide.low, wide.high, wide.given_low, wide.given_high, wide.code_system, wide.code, wide.unit_system, wide.unit`,
    ),
    indexes: [
      `create index fhir_quantities_by_date on fhir_quantities (link, code, sort_at, resource)
         include (low, high, given_low, given_high, code_system, tenant, unit, unit_system)`,
      `create index fhir_quantities_by_value on fhir_quantities (link, unit, high)`,
      `create index fhir_quantities_by_given on fhir_quantities (link, given_high)`,
      `create index fhir_quantities_wide on fhir_quantities (link, unit) where low < high`,
      `create index fhir_quantities_of_resource on fhir_quantities (resource)`,
      `create statistics fhir_quantities_depend (dependencies) on code, code_system, unit, unit_system from fhir_quantities`,
    ],
  },
  {
    name: 'fhir_strings',
    columns: `link bigint not null, resource bigint not null, tenant int not null, value text collate "C" not null, exact text collate "C" not null`,
    into: 'tenant, link, resource, value, exact',
    from: from('fhir_strings', `${LINK}, wide.resource, wide.value, wide.exact`),
    indexes: [
      `create index fhir_strings_by_value on fhir_strings (link, value)`,
      `create index fhir_strings_of_resource on fhir_strings (resource)`,
    ],
  },
];

const AFTER = ['analyze fhir_resources', 'analyze fhir_tenants'];
