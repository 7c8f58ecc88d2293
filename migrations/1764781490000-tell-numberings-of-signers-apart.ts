import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose numbering the person of a link belongs to. Null where it is not said, and for links from before, which end within an hour. */
export class TellNumberingsOfSignersApart1764781490000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table review_links add column person_system text');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
