import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows that lie in an archive are found by their numbers, whatever PostgreSQL knows of the table: without statistics a join took longer than a statement may. */
export class DropArchivedRowsAtOnce1764780852000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // Rows removed; 0: all are gone now; -1: those that are left stay for the time being.
  `create or replace function sutura_drop_archived_audit_rows(archive uuid, at_most int) returns int language plpgsql security definer as
     $$ declare
          kept audit_archives;
          removed int;
          listed bigint[];
        begin
          select * into kept from audit_archives where id = archive and state = 'kept' for update;
          if not found then raise exception 'No such archive is kept.' using errcode = 'check_violation'; end if;
          if exists (select from legal_holds where organization_id = kept.organization_id and environment = kept.environment) then
            return -1;
          end if;
          if not exists (select from audit_seals seal where seal.organization_id = kept.organization_id and seal.environment = kept.environment
              and seal.number = kept.last and seal.hash = kept.hash) then
            raise exception 'The archive does not lead to its seal.' using errcode = 'check_violation';
          end if;
          -- By their numbers as a constant: a join is planned by statistics, which a table that grew at once has not, and may compare each with each.
          select array_agg(named.id) into listed from audit_seals seal cross join lateral unnest(seal.event_ids) as named (id)
            where seal.organization_id = kept.organization_id and seal.environment = kept.environment and seal.number between kept.first and kept.last;
          with doomed as (
            select event.id from audit_events event
              join retention_policies policy on policy.organization_id = event.organization_id and policy.audit_days is not null
            where event.id = any (listed) and event.organization_id = kept.organization_id and event.environment = kept.environment
              and event.recorded_at < clock_timestamp() - make_interval(days => greatest(policy.audit_days, 365))
            order by event.id limit least(at_most, 10000)),
          redacted as (
            insert into audit_archived_redactions (event_id, organization_id, environment, erasure_id, content_digest, sealed_digest)
              select event.id, event.organization_id, event.environment, event.redacted_by, sutura_audit_content_digest(event), sutura_audit_digest(event)
              from audit_events event where event.id in (select id from doomed) and (event.redacted_by is not null or event.redacted_digest is not null)
              on conflict (event_id) do update set content_digest = excluded.content_digest, sealed_digest = excluded.sealed_digest),
          erasures as (
            insert into audit_archived_erasures (event_id, organization_id, environment, patient_id, query)
              select event.id, event.organization_id, event.environment, event.patient_id, event.query
              from audit_events event where event.id in (select id from doomed) and event.interaction = '$erase' and event.redacted_digest is null
                and event.query like 'erasure=%&state=done%'
              on conflict do nothing),
          gone as (delete from audit_events where id in (select id from doomed) returning id)
          select count(*)::int into removed from gone;
          if removed > 0 then return removed; end if;
          if exists (select from audit_events event where event.id = any (listed)) then
            -- Rows that the organization wants to keep by now.
            return -1;
          end if;
          -- The chain goes on from the last one.
          delete from audit_seals where organization_id = kept.organization_id and environment = kept.environment and number between kept.first and kept.last - 1;
          delete from audit_seals where organization_id = kept.organization_id and environment = kept.environment and number = kept.first - 1;
          update audit_seals set event_ids = '{}' where organization_id = kept.organization_id and environment = kept.environment and number = kept.last;
          update audit_archives set state = 'emptied', emptied_at = clock_timestamp() where id = kept.id;
          return 0;
        end $$`,
  // A function that is replaced loses its settings.
  `do $$ begin execute format('alter function sutura_drop_archived_audit_rows(uuid, int) set search_path = pg_catalog, %I, pg_temp', current_schema); end $$`,
];
