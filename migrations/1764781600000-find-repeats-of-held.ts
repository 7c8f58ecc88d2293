import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A held request is found by its Idempotency-Key, too: who repeats the whole flow under one key has uploaded the photo once more, as another image. */
export class FindRepeatsOfHeld1764781600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // A digest, as the key is; null: there was no Idempotency-Key.
  `alter table held_items add column repeat_key bytea`,
  `create index held_items_repeated on held_items (organization_id, environment, repeat_key) where repeat_key is not null`,
];
