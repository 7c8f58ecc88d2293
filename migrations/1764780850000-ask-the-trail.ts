import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An organization's data protection officer asks its own trail. A row is shown to the tenant that it is of, and only in a transaction that says that it
 * asks for the trail: a statement about something else meets none, whatever its conditions.
 */
export class AskTheTrail1764780850000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // Sub-selects are computed once for a statement, and are conditions that an index serves.
  `create policy own_trail on audit_events for select to sutura_app
     using (organization_id = (select nullif(current_setting('app.organization', true), '')::uuid)
        and environment = (select current_setting('app.environment', true))
        and (select current_setting('app.reads_trail', true)) = 'on')`,
  `grant select on audit_events to sutura_app`,
  `create index audit_events_by_time on audit_events (organization_id, environment, recorded_at)`,
  // Few keys and persons have many rows: PostgreSQL keeps each value once.
  `create index audit_events_by_key on audit_events (key_id)`,
  `create index audit_events_by_person on audit_events (person) where person is not null`,
];
