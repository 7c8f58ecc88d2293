import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // The versions that a destination was sent in messages about a whole order, which its queue has under one of their subjects.
  `create table hl7_order_parts (
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     destination_id uuid not null references hl7_destinations,
     -- A report, or an analysis without a result.
     subject_id uuid not null,
     version int not null check (version > 0),
     primary key (destination_id, subject_id))`,
  `alter table hl7_order_parts enable row level security`,
  `alter table hl7_order_parts force row level security`,
  `create policy tenant on hl7_order_parts to sutura_app
     using (sutura_tenant_matches(organization_id, environment)) with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on hl7_order_parts to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on hl7_order_parts to sutura_app, sutura_system`,
  // Receivers that are connected already go on as they were tested.
  `update hl7_destinations set settings = settings || '{"grouping": "photo"}' where not settings ? 'grouping'`,
];

/** A destination may have the photos of an order in one message. */
export class SendOrdersWhole1764781021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
