import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Deliveries with their content may be kept: of a webhook that tells of it, or once did.
  `alter table webhooks add column told_full boolean not null default false`,
  // The owner of a table sees its rows only without the force of its policies.
  `alter table webhooks no force row level security`,
  `update webhooks set told_full = true where content = 'full'`,
  `alter table webhooks force row level security`,
];

/** Who may not read does not turn events that were kept with their content to another address. */
export class RememberFullEvents1764780958000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
