import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The numbers of quantities as they were given: what a search without a unit compares, whatever the unit (R4 search.html#quantity). Rows from
 * before have none until the index is made anew, which every release does behind its start: `fhir_index_passes` says how far it has come.
 */
export class IndexQuantitiesAsGiven1764710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table fhir_quantities add column given_low double precision, add column given_high double precision`,
  `create index fhir_quantities_by_given on fhir_quantities (link, given_high)`,
  `drop index fhir_quantities_by_date`,
  `create index fhir_quantities_by_date on fhir_quantities (link, code, sort_at, resource)
     include (low, high, given_low, given_high, unit, unit_system, code_system, organization_id, environment)`,

  // One row a form of the index (src/fhir/search/index/index-form.ts): numbers of resources up to which it is made, and up to which it was to be.
  `create table fhir_index_passes (
     form int primary key,
     done_through bigint not null,
     last_number bigint not null)`,
  `alter table fhir_index_passes enable row level security`,
  `alter table fhir_index_passes force row level security`,
  `create policy service on fhir_index_passes to sutura_system using (true) with check (true)`,
  `grant select, insert, update on fhir_index_passes to sutura_system`,
];
