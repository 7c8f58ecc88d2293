import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a photo was taken, as its sender stated it: with their offset, or a day alone (docs/decisions/0109). */
export class StatedCaptureTimes1764781030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table analysis_jobs add column captured_as_stated text check (length(captured_as_stated) <= 64)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
