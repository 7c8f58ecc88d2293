import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An EHR that was removed while results stood there, and registered anew, is owed the withdrawals that nobody told it of meanwhile: since when they are
 * owed is noted until they were made into deliveries.
 */
export class OweWithdrawals1764781640000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `alter table ehr_senders add column withdrawals_owed_at timestamptz`,
  `update ehr_senders sender set withdrawals_owed_at = now() from ehrs ehr, organizations organization
     where ehr.id = sender.ehr_id and organization.id = ehr.organization_id and ehr.fhir_base_url = any (organization.left_ehr_bases)`,
];
