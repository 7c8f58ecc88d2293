import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Whoever writes an event looks whether its tenant ever asked for FHIR.
  `create policy tenant on fhir_openings for select to sutura_app using (sutura_tenant_matches(organization_id, environment))`,
  `grant select on fhir_openings to sutura_app`,
];

/** Events for the FHIR projection are kept for tenants that ever asked for it. */
export class LookWhoAskedForFhir1764780930000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
