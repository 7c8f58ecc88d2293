import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As the row of the trail names its erasure. */
const END_OF = (erasure: string): string => `select max(event.id) from audit_events event
  where event.patient_id = ${erasure}.patient_id and event.interaction = '$erase' and starts_with(event.query, 'erasure=' || ${erasure}.id || '&state=done')`;

const STATEMENTS = [
  // The row of the audit trail that says that it is done, and its seal, once both leave for an archive: of the seals there only the last one stays.
  `alter table patient_erasures add column done_event_id bigint, add column seal_number int, add column seal_hash bytea,
     add check ((seal_number is null) = (seal_hash is null))`,
  // Where it was asked for: its last row names the same door as its first.
  `alter table patient_erasures add column asked_through text not null default 'admin'`,
  `update patient_erasures set done_event_id = (${END_OF('patient_erasures')}) where state = 'done'`,
];

/** The seal of an erasure outlives the archiving of its row. */
export class KeepSealsOfErasures1764780900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
