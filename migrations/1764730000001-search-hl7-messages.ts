import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators find HL7 messages by, each by an index. */
export class SearchHl7Messages1764730000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMNS, ...INDEXES]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const COLUMNS = [
  // Keyed hashes of the numbers of patients and orders that a message names.
  `alter table hl7_inbound add column terms bytea[] not null default '{}'`,
  `alter table hl7_outbox add column terms bytea[] not null default '{}'`,
  // The same of the words of what a receiver answered, which may repeat what a person wrote.
  `alter table hl7_outbox add column answer_terms bytea[] not null default '{}'`,
];

const INDEXES = [
  `create index hl7_inbound_by_term on hl7_inbound using gin (terms)`,
  // Our own codes and texts: they name places, never values.
  `create index hl7_inbound_by_problem on hl7_inbound using gin (jsonb_to_tsvector('simple', problems, '["string"]')) where problems <> '[]'`,
  `create index hl7_inbound_by_time on hl7_inbound (received_at)`,
  `create index hl7_inbound_by_control_id on hl7_inbound (control_id)`,
  `create index hl7_inbound_by_type on hl7_inbound (message_type, id desc)`,
  `create index hl7_inbound_by_source on hl7_inbound (source_id, id desc)`,
  `create index hl7_outbox_by_term on hl7_outbox using gin (terms)`,
  `create index hl7_outbox_by_answer on hl7_outbox using gin (answer_terms) where answer_terms <> '{}'`,
  `create index hl7_outbox_by_time on hl7_outbox (created_at)`,
  `create index hl7_outbox_by_its_control_id on hl7_outbox (control_id)`,
  `create index hl7_outbox_by_state on hl7_outbox (state, id desc) where state <> 'delivered'`,
];
