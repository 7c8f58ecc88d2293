import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents of reports are made once and kept. Their bytes lie in the object store. */
export class KeepReportDocuments1764780802000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TABLES = ['report_documents', 'report_document_photos'];

const STATEMENTS = [
  `create table report_documents (
     report_id uuid not null,
     version int not null,
     format text collate "C" not null check (format in ('html', 'pdf', 'text')),
     language text collate "C" not null,
     -- 'none': the format has no pages.
     paper text collate "C" not null check (paper in ('none', 'a4', 'letter')),
     organization_id uuid not null,
     environment text not null,
     size_bytes bigint not null check (size_bytes > 0),
     sha1 text not null check (sha1 ~ '^[0-9a-f]{40}$'),
     sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
     -- The images whose photos, or pictures of them, it shows.
     image_ids uuid[] not null,
     object_key text not null,
     made_at timestamptz not null,
     primary key (report_id, version, format, language, paper),
     foreign key (report_id, version) references report_versions)`,
  // By which an erasure finds the versions whose documents show a photo.
  `create table report_document_photos (
     image_id uuid not null,
     report_id uuid not null,
     version int not null,
     organization_id uuid not null,
     environment text not null,
     primary key (image_id, report_id, version),
     foreign key (report_id, version) references report_versions)`,
  `create index report_document_photos_by_version on report_document_photos (report_id, version)`,
  ...TABLES.flatMap((table) => [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `create policy tenant on ${table} to sutura_app
       using (sutura_tenant_matches(organization_id, environment))
       with check (sutura_tenant_matches(organization_id, environment))`,
    `create policy service on ${table} to sutura_system using (true) with check (true)`,
    `grant select, insert, delete on ${table} to sutura_app`,
    `grant select, insert, update, delete on ${table} to sutura_system`,
  ]),
  `create index reports_by_image on reports (image_id)`,
  `alter table report_versions drop constraint report_versions_reason_check,
     add constraint report_versions_reason_check check (reason in ('created', 'reviewed', 'recomputed', 'moved', 'photo_erased'))`,
];
