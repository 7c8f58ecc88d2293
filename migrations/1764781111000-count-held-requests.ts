import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests that wait for a person count among the bytes that an organization keeps. */
export class CountHeldRequests1764781111000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index held_requests_kept on held_requests (organization_id) where content is not null`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
