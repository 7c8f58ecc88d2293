import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents that are kept as JSON say which version they are of; those from before are of version 1. */
export class VersionStoredDocuments1764780100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

/** The default is also what a process of an earlier release writes that still runs. */
const versioned = (table: string, column: string): string => `alter table ${table} add column ${column} int not null default 1 check (${column} > 0)`;

const STATEMENTS = [versioned('report_versions', 'content_version'), versioned('analysis_requests', 'wish_version')];
