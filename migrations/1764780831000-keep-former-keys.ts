import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of a webhook that were replaced before the last ones, each with its end: after two rotations within an overlap all of them sign. */
export class KeepFormerKeys1764780831000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table webhooks add column former_secrets bytea[] not null default '{}',
      add column former_seeds bytea[] not null default '{}', add column former_until timestamptz[] not null default '{}'`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
