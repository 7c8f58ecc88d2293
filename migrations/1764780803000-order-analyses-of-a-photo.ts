import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A photo that is analysed again keeps the time of its newest analysis, which is found without reading them all. */
export class OrderAnalysesOfAPhoto1764780803000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create index jobs_by_image_and_time on analysis_jobs (image_id, created_at)`,
  `drop index jobs_by_image`,
];
