import type { MigrationInterface, QueryRunner } from 'typeorm';

// Ids that the service gives begin with their time, so that nearly all of them go to the end of the index.
const STATEMENTS = [`create index audit_events_by_request on audit_events (request_id, id) where request_id is not null`];

/** A request id leads to its rows of the trail, whoever chose it and however old it is. */
export class FindRequests1764780910000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
