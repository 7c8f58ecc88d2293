import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries to EHRs say whether a write of theirs may stand there, and in whose chart, from before the first write on. */
export class SettleWhatWasFiled1764781542000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // Set before a write is sent; false again by an answer that tells what became of it, and by nothing else.
  `alter table ehr_deliveries add column unsettled boolean not null default false,
     add column patient text`,
  // What was sent before this column was there is not known.
  `update ehr_deliveries set unsettled = true where not unsent and state <> 'delivered'`,
  // Whose a resource of the EHR is, among reports.
  `create index ehr_deliveries_filed on ehr_deliveries using gin (filed jsonb_path_ops)`,
];
