import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each gateway says which listeners it serves, so that a list shows those that nobody does. The service's own: no tenant reads it. */
export class TellServedListeners1764770000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table hl7_served_listeners (
     listener_id uuid not null references hl7_listeners on delete cascade,
     gateway_id uuid not null,
     reason text,
     certificate_expires_at timestamptz,
     seen_at timestamptz not null,
     primary key (listener_id, gateway_id))`,
  `alter table hl7_served_listeners enable row level security`,
  `alter table hl7_served_listeners force row level security`,
  `create policy service on hl7_served_listeners to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on hl7_served_listeners to sutura_system`,
];
