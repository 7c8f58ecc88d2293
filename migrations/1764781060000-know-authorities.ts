import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who assigns the numbers of patients, by every form of its name, and what the numbers of a sending facility are that name nobody. */
export class KnowAuthorities1764781060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live'))`;

const NAMESPACE = 'https://sutura.dev/fhir/sid/hl7v2-authority/';
/** At least three arcs, so that it is hardly a name. */
const OID = '[0-2](\\.(0|[1-9][0-9]*)){2,}';
const ANY_OID = '[0-2](\\.(0|[1-9][0-9]*))+';
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const protectedBy = (table: string, open: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy tenant on ${table} to sutura_app using (${open}) with check (${open})`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on ${table} to sutura_app, sutura_system`,
];
const MINE = 'sutura_tenant_matches(organization_id, environment)';

/** The migration is the tables' owner. */
const policies = (force: 'force' | 'no force'): string[] =>
  ['patient_identifiers', 'fhir_awaited_patients'].map((table) => `alter table ${table} ${force} row level security`);
const OTHER_SPELLING = `(system ilike 'urn:%' or system ~ '^${OID}$' or system like '${NAMESPACE}%' or system ~* '^https?:')
  and system <> sutura_spelled_system(system)`;

const STATEMENTS = [
  `create table authorities (
     id uuid primary key,
     organization_id uuid not null references organizations,
     -- null: of both.
     environment text collate "C" check (environment in ('test', 'live')),
     name text,
     namespace text,
     oid text,
     uri text,
     further text[] not null,
     facilities text[] not null,
     default_for text[] not null,
     -- By which its numbers are kept.
     system text not null,
     origin text not null check (origin in ('operator', 'messages')),
     created_at timestamptz not null)`,
  `create index authorities_of_organization on authorities (organization_id, created_at)`,
  ...protectedBy('authorities', `sutura_tenant_matches(organization_id, coalesce(environment, 'live')) or sutura_tenant_matches(organization_id, coalesce(environment, 'test'))`),
  `create table authority_forms (
     ${TENANT},
     form text not null,
     system text not null,
     authority_id uuid references authorities on delete cascade,
     primary key (organization_id, environment, form))`,
  `create index authority_forms_of_authority on authority_forms (authority_id)`,
  ...protectedBy('authority_forms', MINE),
  `create table authority_proposals (
     id uuid primary key,
     ${TENANT},
     one text not null,
     other text not null,
     -- The two keys in order.
     pair text not null,
     why text not null,
     since timestamptz not null,
     settled_at timestamptz,
     is_same boolean,
     settled_by text,
     unique (organization_id, environment, pair))`,
  ...protectedBy('authority_proposals', MINE),
  `create table facility_numberings (
     ${TENANT},
     source_id uuid not null,
     facility text not null,
     state text not null check (state in ('first', 'shared', 'own', 'unsettled', 'asked')),
     held_item uuid,
     primary key (organization_id, environment, source_id, facility))`,
  `create index facility_numberings_asked on facility_numberings (held_item) where held_item is not null`,
  ...protectedBy('facility_numberings', MINE),

  // As spelledSystem in core/patients/authority-forms.ts.
  `create function sutura_spelled_system(system text) returns text language sql immutable parallel safe as
     $$ select case
          when system ~* '^urn:oid:' then case when substring(system from 9) ~ '^${ANY_OID}$' then lower(system) else system end
          when system ~* '^urn:uuid:' then case when substring(system from 10) ~ '^${UUID}$' then lower(system) else system end
          when system ~ '^${OID}$' then 'urn:oid:' || system
          when starts_with(system, '${NAMESPACE}') then case
            when substring(system from ${NAMESPACE.length + 1}) ~ '^${OID}$' then 'urn:oid:' || substring(system from ${NAMESPACE.length + 1})
            when substring(system from ${NAMESPACE.length + 1}) ~ '^${UUID}$' then 'urn:uuid:' || lower(substring(system from ${NAMESPACE.length + 1}))
            else system end
          when system ~* '^https?://' then
            lower(substring(system from '^[^:]+://[^/?#]*')) || regexp_replace(substring(system from '^[^:]+://[^/?#]*(.*)$'), '/$', '')
          else system end $$`,

  // One spelling for what means one system beyond doubt. A number that two records have by two spellings stays with both.
  ...policies('no force'),
  `update fhir_awaited_patients held set system = sutura_spelled_system(system) where ${OTHER_SPELLING}
     and not exists (select from fhir_awaited_patients other where other.organization_id = held.organization_id and other.environment = held.environment
       and other.type = held.type and other.id = held.id and other.system = sutura_spelled_system(held.system) and other.value = held.value)`,
  `with spelled as (
       select organization_id, environment, system, value, row_number() over (partition by organization_id, environment, sutura_spelled_system(system), value order by system) as place
         from patient_identifiers where ${OTHER_SPELLING})
     update patient_identifiers held set system = sutura_spelled_system(held.system) from spelled
       where held.organization_id = spelled.organization_id and held.environment = spelled.environment and held.system = spelled.system and held.value = spelled.value
         and spelled.place = 1 and not exists (select from patient_identifiers other where other.organization_id = held.organization_id
           and other.environment = held.environment and other.system = sutura_spelled_system(held.system) and other.value = held.value)`,
  ...policies('force'),

  // Facilities of listeners from before go on sharing one numbering: an upgrade holds no messages.
  `insert into facility_numberings (organization_id, environment, source_id, facility, state)
     select organization_id, environment, id, '*', 'shared' from hl7_listeners`,
  `insert into facility_numberings (organization_id, environment, source_id, facility, state)
     select made.organization_id, made.environment, encode(made.bytes, 'hex')::uuid, '*', 'shared' from (
       select organization.id as organization_id, named.environment,
           set_byte(set_byte(given.digest, 6, (get_byte(given.digest, 6) & 15) | 128), 8, (get_byte(given.digest, 8) & 63) | 128) as bytes
         from organizations organization cross join (values ('test'), ('live')) named (environment)
         cross join lateral (select substring(sha256(convert_to('hl7v2 http ' || organization.id || ' ' || named.environment, 'UTF8')) from 1 for 16) as digest) given) made
     on conflict do nothing`,
];
