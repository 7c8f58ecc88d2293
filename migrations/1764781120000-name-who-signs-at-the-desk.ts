import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the person of a link signs. Null where they are not known, and for links from before, which end within an hour. */
export class NameWhoSignsAtTheDesk1764781120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table review_links add column person_name text');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
