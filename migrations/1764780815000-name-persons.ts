import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The person behind a request, as a key or client that is trusted for it names them: in the audit trail, and beside what they decided. Rows
 * without a person keep the hash that they were sealed with.
 */
export class NamePersons1764780815000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  ...['api_keys', 'oauth_clients'].map(
    (table) => `alter table ${table} add column names_persons boolean not null default false`,
  ),
  ...['report_reviews', 'wound_events'].map((table) => `alter table ${table} add column entered_by text`),
  `alter table audit_events add column person text`,
  `create or replace function sutura_audit_text(event audit_events) returns text language sql immutable as
     $$ select (
          jsonb_build_array(event.id, event.organization_id, event.environment,
            (extract(epoch from event.recorded_at) * 1000000)::bigint, event.door, event.interaction, event.action::text, event.key_id,
            event.request_id, event.address, event.patient_id, to_jsonb(event.resources), event.query)
          || case
               when event.person is not null then jsonb_build_array(event.refusal, event.occurrences, event.person)
               when event.refusal is null and event.occurrences = 1 then '[]'::jsonb
               else jsonb_build_array(event.refusal, event.occurrences)
             end)::text $$`,
];
