import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An organization signs with keys of its own, so that an EHR that trusts one trusts no other. An EHR has one registration, in capitals or not. */
export class KeysOfOrganizations1764781541000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  // Those that there were signed for everybody, so they are nobody's; new ones are made at the first need.
  `delete from published_keys`,
  `drop index published_keys_present`,
  `alter table published_keys
     add column organization_id uuid not null references organizations`,
  // One that signs until the next rotation; and all of an organization.
  `create unique index published_keys_present on published_keys (organization_id, algorithm) where signs_until is null`,
  `create index published_keys_of_organization on published_keys (organization_id)`,
  // Servers that do not tell capitals apart know one base by many spellings.
  `create unique index ehrs_base_in_any_case on ehrs (lower(fhir_base_url))`,
];
