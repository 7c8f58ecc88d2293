import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  // Five minutes each, kept for eight days: of the whole installation (organization 0), and of each tenant with whom something happened.
  `create table service_samples (
     organization_id uuid not null,
     environment text not null check (environment in ('test', 'live')),
     sampled_at timestamptz not null,
     figures jsonb not null,
     primary key (organization_id, environment, sampled_at))`,
  `create index service_samples_old on service_samples (sampled_at)`,
  `alter table service_samples enable row level security`,
  `alter table service_samples force row level security`,
  `create policy service on service_samples to sutura_system using (true) with check (true)`,
  `grant select, insert, update, delete on service_samples to sutura_system`,
  `create index jobs_ended on analysis_jobs (completed_at) where completed_at is not null`,
];

/** The service keeps a few days of its own figures, for charts where nothing else watches it. The service's own: no tenant reads it. */
export class SampleServiceFigures1764780870000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}
