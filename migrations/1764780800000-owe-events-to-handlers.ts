import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An event is owed to each of its handlers by itself, so that one that fails or is slow holds up no other. */
export class OweEventsToHandlers1764780800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // The one handler that this row is owed to. null: not yet fanned out, as every event is that an earlier release left behind.
  `alter table outbox_events add column handler text`,
  `alter table outbox_events drop constraint outbox_events_id_key`,
  `alter table outbox_events add constraint outbox_events_once_a_handler unique (id, handler)`,
  `drop index outbox_events_due`,
  `create index outbox_events_due on outbox_events (handler, next_try_at, sequence)`,
];
