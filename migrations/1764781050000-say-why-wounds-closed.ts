import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a person closed a wound: healed, or ended by something else. Null for other decisions, and for those from before. */
export class SayWhyWoundsClosed1764781050000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table wound_events add column reason text');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
