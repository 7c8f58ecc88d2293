import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Versions of FHIR resources may be packed: PostgreSQL compresses no row of less than 2 kB, and nearly all of these are. Rows from before stay as they are and
 * are read as before, so that no row is rewritten (docs/decisions/0126).
 */
export class PackFhirVersions1764781430000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table fhir_versions
     alter column content drop not null,
     add column packed bytea,
     -- Of a packed version: what an order by status reads.
     add column status text collate "C",
     -- Of a packed version: the one patient whom it names, for an erasure.
     add column patient_id uuid`,
  // It is compressed already. The planner's samples would be whole resources, which outlive the rows.
  `alter table fhir_versions alter column packed set storage external, alter column packed set statistics 0, alter column patient_id set statistics 0`,
  // Not looked for in the rows from before, which all have their content.
  `alter table fhir_versions add constraint fhir_versions_kept_once check (num_nonnulls(content, packed) = 1) not valid`,
];
