import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each tenant measured on its printed calibration cards. */
export class CreateCalibrationCards1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const STATEMENTS = [
  `create table calibration_cards (
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     size text not null check (size in ('a4', 'credit_card')),
     bar_mm double precision not null check (bar_mm > 0),
     measured_at timestamptz not null,
     primary key (organization_id, environment, size))`,
  `alter table calibration_cards enable row level security`,
  `alter table calibration_cards force row level security`,
  `create policy tenant on calibration_cards to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on calibration_cards to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on calibration_cards to sutura_app, sutura_system`,
];
