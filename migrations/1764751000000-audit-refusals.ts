import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trail also has what was refused, and what operators did: the error's code and how often, where a row stands for several. Rows without a
 * refusal keep the hash that they were sealed with.
 */
export class AuditRefusals1764751000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table audit_events
     -- The code of the error; null: it was done.
     add column refusal text,
     add column occurrences int not null default 1 check (occurrences > 0)`,
  `create or replace function sutura_audit_digest(event audit_events) returns bytea language sql immutable as
     $$ select sha256(convert_to((
          jsonb_build_array(event.id, event.organization_id, event.environment,
            (extract(epoch from event.recorded_at) * 1000000)::bigint, event.door, event.interaction, event.action::text, event.key_id,
            event.request_id, event.address, event.patient_id, to_jsonb(event.resources), event.query)
          || case when event.refusal is null and event.occurrences = 1 then '[]'::jsonb else jsonb_build_array(event.refusal, event.occurrences) end)::text, 'UTF8')) $$`,
];
