import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time zone in which an organization's documents print moments; null: that of the service. */
export class SetTimeZones1764780801000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table organizations add column time_zone text`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
