import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Wounds that grew together, and such that fell into several: one row for each part. A row is never deleted but by an erasure: the relation is withdrawn.
 * A wound may end with one, which is a decision about it.
 */
export class RelateWounds1764781290000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table wound_relations (
     -- Of the relation; its rows differ by their part alone.
     id uuid not null,
     organization_id uuid not null references organizations,
     environment text collate "C" not null check (environment in ('test', 'live')),
     kind text collate "C" not null check (kind in ('joined', 'split')),
     whole_id uuid not null references wounds,
     part_id uuid not null references wounds,
     at timestamptz not null,
     note text check (length(note) <= 2000),
     -- The person who saw it, as the caller's own system knows them.
     performer jsonb,
     recorded_at timestamptz not null,
     -- The person behind the request.
     entered_by text,
     withdrawn_at timestamptz,
     -- { by, note, enteredBy }
     withdrawal jsonb,
     primary key (id, part_id),
     check ((withdrawn_at is null) = (withdrawal is null)))`,
  `create index wound_relations_by_whole on wound_relations (whole_id)`,
  `create index wound_relations_by_part on wound_relations (part_id)`,
  `alter table wound_relations enable row level security`,
  `alter table wound_relations force row level security`,
  `create policy tenant on wound_relations to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on wound_relations to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on wound_relations to sutura_system`,
  // What was recorded stays as it was; it can be withdrawn.
  `grant select, insert on wound_relations to sutura_app`,
  `grant update (withdrawn_at, withdrawal) on wound_relations to sutura_app`,
  // The new check holds of all rows that the old one took, so that nothing is read to prove it while others wait.
  `alter table wound_events drop constraint wound_events_decision_check`,
  `alter table wound_events add constraint wound_events_decision_check
     check (decision in ('merged', 'unmerged', 'closed', 'reopened', 'joined', 'unjoined', 'split', 'unsplit')) not valid`,
];
