import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys by which EHRs know this service, and the calls of EHRs that were answered, each once. The service's own: no tenant reads them. */
export class PublishKeys1764781521000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const SERVICE_ONLY = (table: string): readonly string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on ${table} to sutura_system`,
];

const STATEMENTS = [
  `create table published_keys (
     kid text collate "C" primary key,
     algorithm text not null check (algorithm in ('ES384', 'RS384')),
     public_key jsonb not null,
     -- Encrypted where the installation has a key.
     private_key text not null,
     signs_from timestamptz not null,
     signs_until timestamptz)`,
  // One that signs until the next rotation.
  `create unique index published_keys_present on published_keys (algorithm) where signs_until is null`,
  ...SERVICE_ONLY('published_keys'),

  `create table ehr_tokens (
     ehr_id uuid not null references ehrs on delete cascade,
     jti_sha256 bytea not null,
     expires_at timestamptz not null,
     primary key (ehr_id, jti_sha256))`,
  `create index ehr_tokens_expired on ehr_tokens (expires_at)`,
  ...SERVICE_ONLY('ehr_tokens'),
];
