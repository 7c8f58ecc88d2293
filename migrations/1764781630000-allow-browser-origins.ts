import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The origins whose pages may call the native API with the organization's keys, and upload to its signed addresses. */
export class AllowBrowserOrigins1764781630000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [`alter table organizations add column browser_origins text[] not null default '{}'`];
