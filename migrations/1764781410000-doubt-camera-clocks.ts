import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether the camera states a time that cannot be, so that it is not that of the photo. */
export class DoubtCameraClocks1764781410000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table analysis_jobs add column is_camera_time_unused boolean not null default false');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
