import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Networks inside that are open to the deliveries of one organization alone. */
export class OpenNetworksForOne1764780956000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table organizations add column delivery_networks text[] not null default '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
