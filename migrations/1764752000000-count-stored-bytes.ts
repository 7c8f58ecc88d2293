import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an organization keeps is summed from an index alone, and uploads that were never made use of are found. */
export class CountStoredBytes1764752000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create index images_kept on images (organization_id) include (size_bytes) where status = 'stored'`,
  `create index attachments_kept on attachments (organization_id) include (size_bytes)`,
  `create index images_unused on images (upload_expires_at) where status = 'awaiting_upload' and origin = 'upload' and not awaited`,
];
