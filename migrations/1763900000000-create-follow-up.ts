import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Wounds, what people decided about them, and the reports of their photos, every version kept. */
export class CreateFollowUp1763900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...JOBS, ...TABLES, ...INDEXES, ...POLICIES, ...GRANTS]) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const JOBS = [
  `alter table analysis_jobs add column report_id uuid not null default gen_random_uuid()`,
  `alter table analysis_jobs alter column report_id drop default`,
  `create unique index jobs_by_report on analysis_jobs (report_id)`,
];

const TABLES = [
  `create table wounds (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null check (environment in ('test', 'live')),
     patient_id uuid references patients,
     patient_system text,
     patient_value text,
     wound_id_system text not null,
     wound_id text,
     body_site jsonb,
     laterality text,
     wound_type jsonb,
     status text not null check (status in ('open', 'closed')),
     closed_at timestamptz,
     merged_into uuid references wounds check (merged_into <> id),
     created_at timestamptz not null,
     check ((status = 'closed') = (closed_at is not null)),
     check ((patient_system is null) = (patient_value is null)))`,

  `create table wound_events (
     id uuid primary key,
     organization_id uuid not null,
     environment text not null,
     wound_id uuid not null references wounds,
     decision text not null check (decision in ('merged', 'unmerged', 'closed', 'reopened')),
     other_wound_id uuid references wounds,
     reviewer jsonb,
     note text,
     decided_at timestamptz not null)`,

  `create table reports (
     id uuid primary key,
     organization_id uuid not null references organizations,
     environment text not null,
     job_id uuid not null references analysis_jobs,
     image_id uuid not null references images,
     -- The wound that the assessment was made of; its series is found through wounds.merged_into.
     wound_id uuid not null references wounds,
     captured_at timestamptz not null,
     version int not null check (version > 0),
     status text not null check (status in ('preliminary', 'final', 'amended', 'corrected', 'entered-in-error')),
     replaces uuid references reports,
     replaced_by uuid references reports,
     created_at timestamptz not null)`,

  `create table report_versions (
     report_id uuid not null references reports,
     version int not null check (version > 0),
     organization_id uuid not null,
     environment text not null,
     status text not null,
     reason text not null check (reason in ('created', 'reviewed', 'recomputed')),
     issued_at timestamptz not null,
     -- What timelines read of it, apart from the rest, which is three times the bytes, most of them outlines.
     figures json not null,
     details json not null,
     primary key (report_id, version))`,
  // Kept in the row: the details go elsewhere before the figures do.
  `alter table report_versions alter column figures set storage main`,

  `create table report_reviews (
     id uuid primary key,
     organization_id uuid not null,
     environment text not null,
     report_id uuid not null,
     version int not null,
     decision text not null check (decision in ('accept', 'reject', 'correct', 'reassign')),
     reviewer jsonb not null,
     note text,
     changes json,
     reviewed_at timestamptz not null,
     foreign key (report_id, version) references report_versions)`,
];

const INDEXES = [
  // No patient is a place of its own, hence the id that nobody has.
  `create unique index wounds_by_name on wounds (organization_id, environment,
     coalesce(patient_id, '00000000-0000-0000-0000-000000000000'), wound_id_system, wound_id) where wound_id is not null`,
  `create index wounds_newest on wounds (organization_id, environment, created_at desc, id desc)`,
  `create index wounds_by_patient_value on wounds (organization_id, environment, patient_value, created_at desc, id desc) where patient_value is not null`,
  `create index wounds_by_patient on wounds (patient_id) where patient_id is not null`,
  `create index wounds_by_wound_id on wounds (organization_id, environment, wound_id, created_at desc, id desc) where wound_id is not null`,
  `create index wounds_merged on wounds (merged_into) where merged_into is not null`,
  `create index wound_events_by_wound on wound_events (wound_id, decided_at)`,
  `create index reports_by_wound on reports (wound_id, captured_at, id)`,
  `create unique index reports_by_job on reports (job_id) where replaces is null`,
  `create index report_reviews_by_report on report_reviews (report_id, reviewed_at)`,
];

const TENANT_TABLES = ['wounds', 'wound_events', 'reports', 'report_versions', 'report_reviews'];

const POLICIES = TENANT_TABLES.flatMap((table) => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy tenant on ${table} to sutura_app
     using (sutura_tenant_matches(organization_id, environment))
     with check (sutura_tenant_matches(organization_id, environment))`,
  `create policy service on ${table} to sutura_system using (true) with check (true)`,
]);

const GRANTS = [
  `grant select, insert, update, delete on ${TENANT_TABLES.join(', ')} to sutura_system`,
  `grant select, insert, update on wounds, reports to sutura_app`,
  // Written once: what a person decided and what a reader was shown.
  `grant select, insert on wound_events, report_versions, report_reviews to sutura_app`,
];
