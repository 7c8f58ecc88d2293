import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries to EHRs keep each chart in which a write of theirs may stand, how many, and since when; later versions see that nothing began behind
 * them; and a database that came back without what was written last is known.
 */
export class CountOpenWrites1764781550000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // `unsettled` and `patient` stay beside it: a process of the release before writes and reads those alone.
  `alter table ehr_deliveries add column open_writes jsonb not null default '[]',
     add column begun int not null default 0`,
  // The system and the timeline of the database that deliveries were sent from last; null: by a release before.
  `alter table ehr_senders add column sent_from text`,
  // What an EHR took without saying where was known by the history alone.
  `update ehr_deliveries set open_writes = jsonb_build_array(jsonb_build_object('patient', patient, 'kind', 'create', 'times', 1,
      'at', coalesce(sent_at, created_at), 'isTaken', true))
    where unsettled and history @? '$[*] ? (@.what == "refused" && @.answer like_regex "^20[12]( |$)")'`,
];
