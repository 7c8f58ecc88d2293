import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the time of a photo is that of its own camera, since nobody stated one. */
export class DatePhotosByThemselves1764781081000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table analysis_jobs add column is_capture_of_photo boolean not null default false');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
