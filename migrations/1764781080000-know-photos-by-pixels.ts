import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // SHA-256 of the pixels, by which a copy that was saved anew is known; null: not analysed yet, or by an earlier release.
  `alter table images add column pixel_sha256 text`,
  `create index images_by_pixels on images using hash (pixel_sha256) where pixel_sha256 is not null`,
];

/** The same photo is known by its pixels, too. */
export class KnowPhotosByPixels1764781080000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
