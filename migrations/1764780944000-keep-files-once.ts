import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Files of a message that lie in the object store, with the tokens that stand for them; null: the message is whole.
  `alter table hl7_outbox add column files jsonb`,
  // Empty: looked at, and whole; null: not looked at since it was processed.
  `alter table hl7_inbound add column files jsonb`,
  `create index hl7_inbound_whole on hl7_inbound (id) where files is null and state = 'processed' and file_digests <> '{}'`,
  // A photo by its bytes.
  `create index images_by_digest on images using hash (sha256) where status = 'stored'`,
];

/** Messages name their files, which the object store has already. */
export class KeepFilesOnce1764780944000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
