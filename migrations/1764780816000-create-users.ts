import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People who log in to the admin API, their roles and sessions. The service's own: no tenant reads them. */
export class CreateUsers1764780816000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const SERVICE_ONLY = (table: string, rights: string): readonly string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
  `grant ${rights} on ${table} to sutura_system`,
];

const STATEMENTS = [
  `create table users (
     id uuid primary key,
     -- As it is typed at the login, in small letters and NFKC.
     name text not null unique,
     display_name text not null,
     is_installation_admin boolean not null,
     -- argon2id in the PHC format; null: not set.
     password_hash text,
     setup_sha256 bytea unique,
     setup_expires_at timestamptz,
     -- Base32; the offered one is in force once a code of it was seen.
     code_secret text,
     offered_code_secret text,
     last_code_step bigint,
     -- Who the person is at the identity provider.
     issuer text,
     subject text,
     created_at timestamptz not null,
     disabled_at timestamptz,
     last_login_at timestamptz,
     unique (issuer, subject),
     check ((setup_sha256 is null) = (setup_expires_at is null)),
     check ((issuer is null) = (subject is null)))`,
  ...SERVICE_ONLY('users', 'select, insert, update'),

  `create table user_roles (
     user_id uuid not null references users,
     organization_id uuid not null references organizations,
     role text not null check (role in ('viewer', 'reviewer', 'integrator', 'admin')),
     primary key (user_id, organization_id))`,
  ...SERVICE_ONLY('user_roles', 'select, insert, delete'),

  `create table user_sessions (
     sha256 bytea primary key,
     user_id uuid not null references users,
     created_at timestamptz not null,
     seen_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index user_sessions_of_user on user_sessions (user_id)`,
  `create index user_sessions_ended on user_sessions (expires_at)`,
  ...SERVICE_ONLY('user_sessions', 'select, insert, update, delete'),

  // By the digest of the name, whether somebody has it or not: what was typed may be a password.
  `create table login_failures (
     name_sha256 bytea primary key,
     failures int not null,
     last_failed_at timestamptz not null,
     locked_until timestamptz)`,
  `create index login_failures_old on login_failures (last_failed_at)`,
  ...SERVICE_ONLY('login_failures', 'select, insert, update, delete'),

  // Logins that were sent to the identity provider and have not come back.
  `create table provider_logins (
     state_sha256 bytea primary key,
     verifier text not null,
     nonce text not null,
     expires_at timestamptz not null)`,
  `create index provider_logins_expired on provider_logins (expires_at)`,
  ...SERVICE_ONLY('provider_logins', 'select, insert, update, delete'),
];
