import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Old rows of the audit trail lie in sealed files of the object store. Rows leave the database by one function, which removes those alone that are named
 * by the seals of a kept archive, older than the organization keeps them and older than a year, and of no tenant with a legal hold. The role that serves
 * callers may not call it, and no role of the service may remove a row otherwise.
 */
export class ArchiveAuditRows1764780851000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TENANT = `organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live'))`;

const serviceOnly = (table: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
];

/** Row-level security binds the owner as well, as which the function below runs. */
const ownerMay = (table: string): string => `create policy archive_owner on ${table} to current_user using (true) with check (true)`;

const STATEMENTS = [
  // A year at the least: until then rows are searched where they are.
  `alter table retention_policies add column audit_days int check (audit_days between 365 and 36500)`,
  `alter table retention_runs drop constraint retention_runs_what_check`,
  `alter table retention_runs add constraint retention_runs_what_check check (what in ('photos', 'messages', 'records', 'audit'))`,

  `create table audit_archives (
     id uuid primary key,
     ${TENANT},
     state text not null check (state in ('writing', 'kept', 'emptied')),
     -- Numbers of its seals.
     first int not null check (first > 0),
     last int not null check (last >= first),
     rows bigint not null,
     -- Of the last seal.
     hash bytea not null,
     oldest_at timestamptz not null,
     newest_at timestamptz not null,
     object_key text not null unique,
     -- Of the file.
     sha256 bytea,
     bytes bigint not null default 0,
     kept_at timestamptz,
     emptied_at timestamptz,
     -- While it is written: the writer has it to itself until then.
     lease_until timestamptz not null,
     check ((state = 'writing') = (sha256 is null)),
     unique (organization_id, environment, first))`,
  `create unique index audit_archives_written on audit_archives (organization_id, environment) where state = 'writing'`,
  ...serviceOnly('audit_archives'),
  `grant select, insert, delete, update (state, object_key, sha256, bytes, kept_at, lease_until) on audit_archives to sutura_system`,
  `create policy kept_stay on audit_archives as restrictive for delete to sutura_system using (state = 'writing')`,

  // Whoever asks its own trail is told where older rows are.
  `create policy own_archives on audit_archives for select to sutura_app
     using (organization_id = (select nullif(current_setting('app.organization', true), '')::uuid)
        and environment = (select current_setting('app.environment', true))
        and (select current_setting('app.reads_trail', true)) = 'on')`,
  `grant select (organization_id, environment, state, newest_at) on audit_archives to sutura_app`,

  // What accounts for words that erasures took out of rows that lie in archives now.
  `create table audit_archived_redactions (
     event_id bigint primary key,
     organization_id uuid not null,
     environment text not null,
     erasure_id uuid,
     content_digest bytea not null,
     sealed_digest bytea not null)`,
  `create index audit_archived_redactions_of on audit_archived_redactions (erasure_id)`,
  // The last rows of erasures among them.
  `create table audit_archived_erasures (
     event_id bigint primary key,
     organization_id uuid not null,
     environment text not null,
     patient_id uuid,
     query text not null)`,
  ...['audit_archived_redactions', 'audit_archived_erasures'].flatMap((table) => [
    ...serviceOnly(table),
    `grant select on ${table} to sutura_system`,
  ]),
  `grant insert, update on audit_archived_redactions to sutura_system`,

  ...['audit_events', 'audit_seals', 'audit_archives', 'audit_archived_redactions', 'audit_archived_erasures', 'legal_holds', 'retention_policies'].map(ownerMay),
  // Rows removed; 0: all are gone now; -1: those that are left stay for the time being.
  `create function sutura_drop_archived_audit_rows(archive uuid, at_most int) returns int language plpgsql security definer as
     $$ declare
          kept audit_archives;
          removed int;
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
          with doomed as (
            select event.id from audit_seals seal cross join lateral unnest(seal.event_ids) as listed (id)
              join audit_events event on event.id = listed.id and event.organization_id = seal.organization_id and event.environment = seal.environment
              join retention_policies policy on policy.organization_id = seal.organization_id and policy.audit_days is not null
            where seal.organization_id = kept.organization_id and seal.environment = kept.environment and seal.number between kept.first and kept.last
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
          if exists (select from audit_seals seal cross join lateral unnest(seal.event_ids) as listed (id) join audit_events event on event.id = listed.id
              where seal.organization_id = kept.organization_id and seal.environment = kept.environment and seal.number between kept.first and kept.last) then
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
  // Without it a session's own temporary tables would stand in the place of these.
  `do $$ begin execute format('alter function sutura_drop_archived_audit_rows(uuid, int) set search_path = pg_catalog, %I, pg_temp', current_schema); end $$`,
  `revoke all on function sutura_drop_archived_audit_rows(uuid, int) from public`,
  `grant execute on function sutura_drop_archived_audit_rows(uuid, int) to sutura_system`,
];
