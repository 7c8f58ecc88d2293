import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an HL7 v2 message may say what people decided of wounds. Of those that came before nothing is kept: over MLLP they may, over HTTP they might not. */
export class KeepWhoMayReview1764781440000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table hl7_inbound add column may_review boolean');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
