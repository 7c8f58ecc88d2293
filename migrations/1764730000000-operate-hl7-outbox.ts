import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an operator needs to see and do with what goes out: why a message is parked, what its receiver answered, and where it was sent instead. */
export class OperateHl7Outbox1764730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMNS, ...CHECKS, ...INDEXES]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const COLUMNS = [
  // True: no byte of it was ever sent, so that its receiver cannot have it. Rows from before this column stood there are known by their attempts.
  `alter table hl7_outbox add column unsent boolean not null default false`,
  `alter table hl7_outbox alter column unsent set default true`,
  `alter table hl7_outbox add column parked_for text check (parked_for in ('refused', 'refused_later', 'sealed', 'operator', 'destination_deleted'))`,
  // Why the last attempt had no acknowledgment: a code, such as "unreachable ECONNREFUSED".
  `alter table hl7_outbox add column fault text`,
  // What the receiver said of its refusal. It may repeat what a person wrote: kept as messages are.
  `alter table hl7_outbox add column answer bytea`,
  // The message of another destination that took its place.
  `alter table hl7_outbox add column moved_to uuid references hl7_outbox`,
];

const CHECKS = [
  `alter table hl7_outbox drop constraint hl7_outbox_state_check`,
  `alter table hl7_outbox add constraint hl7_outbox_state_check check (state in ('waiting', 'delivered', 'parked', 'discarded', 'collapsed', 'moved'))`,
];

const INDEXES = [
  // What is sent next: what was met with silence least often, then the oldest.
  `create index hl7_outbox_due on hl7_outbox (destination_id, failures, number) where state = 'waiting'`,
  // A message waits for those of its patient and of its report only: looked up for each, however much waits.
  `create index hl7_outbox_pending_by_lane on hl7_outbox (destination_id, lane, number) where state in ('waiting', 'parked')`,
  `create index hl7_outbox_pending_by_subject on hl7_outbox (destination_id, subject_id, number) where state in ('waiting', 'parked')`,
];
