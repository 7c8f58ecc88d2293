import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Who had a role in an organization once: its own admins may give them one again, and know of no other users.
  `create table former_user_roles (
     user_id uuid not null references users,
     organization_id uuid not null references organizations,
     primary key (user_id, organization_id))`,
  `alter table former_user_roles enable row level security`,
  `alter table former_user_roles force row level security`,
  `create policy service on former_user_roles to sutura_system using (true) with check (true)`,
  `grant select, insert, delete on former_user_roles to sutura_system`,
];

/** An organization's admins add people again whom they removed. */
export class RememberFormerMembers1764780862000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
