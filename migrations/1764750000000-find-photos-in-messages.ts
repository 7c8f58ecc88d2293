import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * By what a photo is found in HL7 v2 messages once it is to be erased, and what was erased of which message: digests of the files in a message
 * that came in, the images whose photos or pictures a message that goes out may have.
 */
export class FindPhotosInMessages1764750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMNS, ...WITHOUT_POLICIES('no force'), OLDER_RESULTS, ...WITHOUT_POLICIES('force'), ...INDEXES]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const COLUMNS = [
  // SHA-256 of each file in it; null: it came before they were noted, and nobody has looked yet.
  `alter table hl7_inbound add column file_digests bytea[]`,
  `alter table hl7_outbox add column image_ids uuid[] not null default '{}'`,
  // [{imageId, sizeBytes, erasedAt}]
  ...['hl7_inbound', 'hl7_outbox'].map((table) => `alter table ${table} add column erased jsonb not null default '[]'`),
];

/** The owner of the tables writes here, for whom there is no policy. */
const WITHOUT_POLICIES = (force: 'force' | 'no force'): string[] => ['hl7_outbox', 'reports'].map((table) => `alter table ${table} ${force} row level security`);

/** Results that were made before are taken to show every photo of their wound up to their own. */
const OLDER_RESULTS = `update hl7_outbox message set image_ids = (
    select array_agg(distinct shown.image_id) from reports told join reports shown on shown.wound_id = told.wound_id and shown.captured_at <= told.captured_at
    where told.id = message.subject_id)
  where message.kind = 'result' and exists (select from reports told where told.id = message.subject_id)`;

const INDEXES = [
  `create index hl7_inbound_by_file on hl7_inbound using gin (file_digests) where file_digests <> '{}'`,
  `create index hl7_inbound_unread on hl7_inbound (organization_id, environment, id) where file_digests is null`,
  `create index hl7_outbox_by_image on hl7_outbox using gin (image_ids) where image_ids <> '{}'`,
];
