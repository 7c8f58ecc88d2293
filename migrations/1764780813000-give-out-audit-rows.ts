import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The text that the digest of an audit row is of, so that it can be given out and checked without the database. No digest changes. */
export class GiveOutAuditRows1764780813000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create function sutura_audit_text(event audit_events) returns text language sql immutable as
     $$ select (
          jsonb_build_array(event.id, event.organization_id, event.environment,
            (extract(epoch from event.recorded_at) * 1000000)::bigint, event.door, event.interaction, event.action::text, event.key_id,
            event.request_id, event.address, event.patient_id, to_jsonb(event.resources), event.query)
          || case when event.refusal is null and event.occurrences = 1 then '[]'::jsonb else jsonb_build_array(event.refusal, event.occurrences) end)::text $$`,
  `create or replace function sutura_audit_content_digest(event audit_events) returns bytea language sql immutable as
     $$ select sha256(convert_to(sutura_audit_text(event), 'UTF8')) $$`,
];
