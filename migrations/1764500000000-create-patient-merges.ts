import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records of patients that were joined into another, and what keeps everything filed under the one that stands. */
export class CreatePatientMerges1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const FILED = ['images', 'analysis_jobs', 'wounds'];

const STATEMENTS = [
  `alter table patients add column merged_into uuid references patients check (merged_into <> id)`,
  `create index patients_merged on patients (merged_into) where merged_into is not null`,
  `create index images_by_patient on images (patient_id) where patient_id is not null`,
  `create index jobs_by_patient_row on analysis_jobs (patient_id) where patient_id is not null`,
  // A merge holds both rows. Whoever files something meanwhile waits here, as the foreign key would a moment later, and then has the survivor.
  `create function sutura_standing_patient() returns trigger language plpgsql as
     $$ declare standing uuid;
        begin
          select coalesce(merged_into, id) into standing from patients where id = new.patient_id for key share;
          new.patient_id := coalesce(standing, new.patient_id);
          return new;
        end $$`,
  ...FILED.map(
    (table) => `create trigger standing_patient before insert or update of patient_id on ${table}
     for each row when (new.patient_id is not null) execute function sutura_standing_patient()`,
  ),
  `alter table report_versions drop constraint report_versions_reason_check,
     add constraint report_versions_reason_check check (reason in ('created', 'reviewed', 'recomputed', 'moved'))`,
  `grant update (patient_id) on analysis_jobs to sutura_app`,
];
