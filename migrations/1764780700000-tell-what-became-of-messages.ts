import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that no key opens stand aside, and a message tells what became of the photos that it named by their address. */
export class TellWhatBecameOfMessages1764780700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // sealed: none of the keys that are set opens it; discarded: given up by a person, or sent again meanwhile.
  `alter table hl7_inbound drop constraint hl7_inbound_state_check`,
  `alter table hl7_inbound add constraint hl7_inbound_state_check check (state in ('received', 'processed', 'ignored', 'failed', 'sealed', 'discarded'))`,
  // What operators look for is rare among what went well.
  `create index hl7_inbound_by_state on hl7_inbound (state, id desc) where state not in ('processed', 'ignored')`,
  // Photos that are, or were, to be fetched from an address in the message.
  `alter table hl7_inbound add column pointed_image_ids uuid[] not null default '{}'`,
  // Why the last try failed, as a code; and when the photo was given up: the row then stays without its address, which may name a patient.
  `alter table remote_images add column fault text, add column given_up_at timestamptz`,
];
