import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients of SMART Backend Services, and the assertions that they used. The service's own: no tenant reads them. */
export class RegisterOAuthClients1764780809000 implements MigrationInterface {
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
  `create table oauth_clients (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     name text not null,
     scopes text[] not null,
     keys jsonb not null,
     created_at timestamptz not null,
     revoked_at timestamptz)`,
  `create index oauth_clients_of_organization on oauth_clients (organization_id, created_at)`,
  ...SERVICE_ONLY('oauth_clients', 'select, insert, update'),

  `create table oauth_assertions (
     client_id uuid not null references oauth_clients on delete cascade,
     jti_sha256 bytea not null,
     expires_at timestamptz not null,
     primary key (client_id, jti_sha256))`,
  `create index oauth_assertions_expired on oauth_assertions (expires_at)`,
  ...SERVICE_ONLY('oauth_assertions', 'select, insert, update, delete'),
];
