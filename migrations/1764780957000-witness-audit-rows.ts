import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever writes a row of the trail learns its id, without a right to read rows, and later looks whether it is still there. */
export class WitnessAuditRows1764780957000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`grant usage on sequence audit_events_id_seq to sutura_app, sutura_system`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
