import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The versions of records (`Type/id/version`) that a message wrote when it was read once more, by which an older one that is done late is told from what
 * came later.
 */
export class KnowWhatAMessageSaid1764781650000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table hl7_inbound add column said_versions text[] not null default '{}'`,
  `create index hl7_inbound_said on hl7_inbound using gin (said_versions) where said_versions <> '{}'`,
];
