import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['users', 'user_roles', 'former_user_roles', 'user_sessions'];

const STATEMENTS = [
  // The organization whose admin was handed the set-up code behind the present credentials; null: nobody but those of the installation.
  `alter table users add column setup_by uuid references organizations`,
  // Of a login by the identity provider: its tokens, encrypted where there is a key; when it last stated the rights, and was last asked.
  `alter table user_sessions add column provider_tokens text, add column stated_at timestamptz, add column looked_at timestamptz`,
  // The owner of a table sees its rows only without the force of its policies.
  ...TABLES.map((table) => `alter table ${table} no force row level security`),
  // Whom the identity provider knows has no other way in. Whoever is logged in by it logs in there again.
  `update users set password_hash = null, code_secret = null, offered_code_secret = null, last_code_step = null, setup_sha256 = null,
     setup_expires_at = null where subject is not null`,
  `delete from user_sessions where user_id in (select id from users where subject is not null)`,
  // From before it was noted: whoever belonged to one organization ever may have a code that its admin was handed.
  `update users set setup_by = known.organization_id from (
     select user_id, (array_agg(organization_id))[1] as organization_id from (
       select user_id, organization_id from user_roles union select user_id, organization_id from former_user_roles) as ever
     group by user_id having count(*) = 1) as known
   where users.id = known.user_id and users.subject is null and not users.is_installation_admin
     and exists (select from user_roles held where held.user_id = users.id and held.organization_id = known.organization_id)`,
  ...TABLES.map((table) => `alter table ${table} force row level security`),
];

/** Credentials know who was handed their code, and sessions by the identity provider what they rest on. */
export class BindAccounts1764780941000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
