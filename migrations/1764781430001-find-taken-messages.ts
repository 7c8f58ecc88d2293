import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A feed whose every message is refused is silent: its last message that was taken is found past any number of refused ones. */
export class FindTakenMessages1764781430001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [`create index hl7_inbound_taken on hl7_inbound (source_id, id desc) where state <> 'failed'`];
