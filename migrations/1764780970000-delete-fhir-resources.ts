import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Resources that their clients deleted. The deletion is a version like the others, so that a history has it, and nothing but the resource's own
 * row says that it is gone. Columns with a constant as their default, which rewrites no row (docs/decisions/0104).
 */
export class DeleteFhirResources1764780970000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table fhir_resources add column is_deleted boolean not null default false`,
  `alter table fhir_versions add column is_deletion boolean not null default false`,
  // Without figures of its own, the planner would take half of all resources for deleted ones.
  `analyze fhir_resources (is_deleted)`,
  // The id of a client's leads to the record that came in place of a deleted one.
  `grant update (id) on fhir_client_ids to sutura_app`,
];
