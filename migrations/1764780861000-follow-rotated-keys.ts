import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Which key took whose place, and nothing else of a key, is its own tenant's to read.
  `create policy own_tenant on api_keys for select to sutura_app using (sutura_tenant_matches(organization_id, environment))`,
  `grant select (id, organization_id, environment, replaced_by) on api_keys to sutura_app`,
  `create index api_keys_by_successor on api_keys (replaced_by) where replaced_by is not null`,
];

/** What a key asked for is its successor's, too. */
export class FollowRotatedKeys1764780861000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
