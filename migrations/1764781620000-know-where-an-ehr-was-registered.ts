import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An EHR's row of who sends to it is there from its registration on, with the database that it was made in: what is filed for the first time between a
 * back-up and its loss is looked for, too. And an organization knows the addresses of EHRs that were removed while results stood there.
 */
export class KnowWhereAnEhrWasRegistered1764781620000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // The system and the timeline: whoever restores a database, or makes a standby the first, goes on on another timeline.
  `create function sutura_database_here() returns text language sql volatile as
     $$ select system_identifier || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) from pg_control_system() $$`,
  `alter table ehr_senders alter column sent_from set default sutura_database_here()`,
  `update ehr_senders set sent_from = sutura_database_here() where sent_from is null`,
  `insert into ehr_senders (ehr_id, organization_id, environment) select id, organization_id, environment from ehrs on conflict (ehr_id) do nothing`,
  // Who registers one of them anew has lost the ledger of what stands there.
  `alter table organizations add column left_ehr_bases text[] not null default '{}'`,
];
