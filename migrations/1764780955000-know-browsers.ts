import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Browsers that users logged in from, by the digest of what they hold.
  `create table login_devices (
     sha256 bytea primary key,
     user_id uuid not null references users,
     expires_at timestamptz not null)`,
  `create index login_devices_of_user on login_devices (user_id, expires_at)`,
  `create index login_devices_ended on login_devices (expires_at)`,
  `alter table login_devices enable row level security`,
  `alter table login_devices force row level security`,
  `create policy service on login_devices to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on login_devices to sutura_system`,
  // The browser that a session is of: it stays known when its user changes the password in it.
  `alter table user_sessions add column device_sha256 bytea`,
];

/** A browser that is known waits for no stranger's wrong tries. */
export class KnowBrowsers1764780955000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
