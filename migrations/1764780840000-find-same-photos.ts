import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `create index images_by_digest on images (organization_id, environment, sha256) where sha256 is not null`,
];

/** Photos of a patient that came twice as two images are found by their bytes. */
export class FindSamePhotos1764780840000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
