import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // SHA-256 (hex) of each stored picture by its name: mask, tissue, overlay. Null, or without a name: not known, as of pictures that older releases stored.
  `alter table analysis_jobs add column picture_sha256 jsonb`,
  // An overlay is drawn by a gateway when it is first asked for.
  `grant update (picture_sha256) on analysis_jobs to sutura_app`,
];

/** The database remembers what the pictures of an analysis are, so that a store that changed one is found out. */
export class DigestPictures1764780890000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
