import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each applied migration was, so that a build whose migration of that name is another can tell (`schema-history.ts` fills it in). */
export class RememberChecksums1764740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table migrations add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$')`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
