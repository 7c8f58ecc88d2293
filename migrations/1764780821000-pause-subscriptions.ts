import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An operator may hold back what is sent to a Subscription; what is made meanwhile waits. */
export class PauseSubscriptions1764780821000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table fhir_subscriptions add column paused boolean not null default false`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
