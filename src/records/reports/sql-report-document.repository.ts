import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { DocumentForm, KeptDocument, ReportVersionId } from '../../core/report/report-document.js';
import { ReportDocumentRepository } from '../../core/report/report-document.repository.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const COLUMNS = `d.report_id as "reportId", d.version, d.format, d.language, nullif(d.paper, 'none') as paper, d.size_bytes::float8 as "sizeBytes", d.sha1, d.sha256,
  d.image_ids as "imageIds", d.object_key as "objectKey", d.made_at as "madeAt"`;
const MINE = 'd.organization_id = $1 and d.environment = $2';
const FORM = 'd.format = $3 and d.language = $4 and d.paper = $5';
const NAMED = 'unnest($6::uuid[], $7::int[]) as named (report_id, version)';
const FIND_ALL = `select ${COLUMNS} from ${NAMED} join report_documents d using (report_id, version) where ${MINE} and ${FORM}`;
const INSERT = `insert into report_documents (organization_id, environment, report_id, version, format, language, paper, size_bytes, sha1, sha256, image_ids, object_key, made_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing`;
const FORGET = `delete from report_documents d where ${MINE} and ${FORM} and d.report_id = $6 and d.version = $7 and d.sha256 = $8`;
const FORGET_VERSIONS = `delete from report_documents d using unnest($3::uuid[], $4::int[]) as named (report_id, version)
  where ${MINE} and d.report_id = named.report_id and d.version = named.version`;
const INSERT_PHOTOS = `insert into report_document_photos (organization_id, environment, report_id, version, image_id)
  select $1, $2, $3, $4, unnest($5::uuid[]) on conflict do nothing`;
const FORGET_PHOTOS = `delete from report_document_photos p using unnest($3::uuid[], $4::int[]) as named (report_id, version)
  where p.organization_id = $1 and p.environment = $2 and p.report_id = named.report_id and p.version = named.version`;
const SHOWING = `select v.report_id as "reportId", v.version from reports r join report_versions v on v.report_id = r.id
    where r.organization_id = $1 and r.environment = $2 and r.image_id = $3
  union select p.report_id, p.version from report_document_photos p
    where p.organization_id = $1 and p.environment = $2 and p.image_id = $3`;
/** Versions of other reports of the wounds and patients that the image is of. */
const NAMING = `with own as (
    select w.id, w.patient_id from reports r join wounds w on w.id = r.wound_id
    where r.organization_id = $1 and r.environment = $2 and r.image_id = $3)
  select v.report_id as "reportId", v.version from reports r join report_versions v on v.report_id = r.id
  where r.organization_id = $1 and r.environment = $2 and r.image_id <> $3 and position($3::text in v.details::text) > 0
    and r.wound_id in (
      select id from own
      union select w.id from wounds w where w.organization_id = $1 and w.environment = $2
        and w.patient_id in (select patient_id from own where patient_id is not null))
    and not exists (
      select from report_documents d where d.report_id = v.report_id and d.version = v.version and d.format <> 'text')`;

@Injectable()
export class SqlReportDocumentRepository extends ReportDocumentRepository {
  async find(transaction: TenantTransaction, named: ReportVersionId, form: DocumentForm): Promise<KeptDocument | null> {
    return (await this.findAll(transaction, [named], form))[0] ?? null;
  }

  async findAll(
    transaction: TenantTransaction,
    named: readonly ReportVersionId[],
    form: DocumentForm,
  ): Promise<KeptDocument[]> {
    const known = named.filter(({ reportId }) => isCanonicalUuid(reportId));
    const { rows } = await statementsOf(transaction).runPrepared<KeptDocument>(FIND_ALL, [
      ...mine(transaction),
      ...formOf(form),
      ...columnsOf(known),
    ]);
    return rows;
  }

  async insert(transaction: TenantTransaction, document: KeptDocument): Promise<boolean> {
    const { reportId, version, sizeBytes, sha1, sha256, imageIds, objectKey, madeAt } = document;
    const { affected } = await statementsOf(transaction).runPrepared(INSERT, [
      ...mine(transaction),
      reportId,
      version,
      ...formOf(document),
      sizeBytes,
      sha1,
      sha256,
      imageIds,
      objectKey,
      madeAt,
    ]);
    if (affected === 1 && imageIds.length > 0)
      await statementsOf(transaction).runPrepared(INSERT_PHOTOS, [...mine(transaction), reportId, version, imageIds]);
    return affected === 1;
  }

  async forget(transaction: TenantTransaction, document: KeptDocument): Promise<boolean> {
    const { reportId, version, sha256 } = document;
    const values = [...mine(transaction), ...formOf(document), reportId, version, sha256];
    return (await statementsOf(transaction).run(FORGET, values)).affected === 1;
  }

  versionsShowing(transaction: TenantTransaction, imageId: string): Promise<ReportVersionId[]> {
    return this.versions(transaction, SHOWING, imageId);
  }

  versionsNaming(transaction: TenantTransaction, imageId: string): Promise<ReportVersionId[]> {
    return this.versions(transaction, NAMING, imageId);
  }

  async forgetVersions(transaction: TenantTransaction, named: readonly ReportVersionId[]): Promise<void> {
    const values = [...mine(transaction), ...columnsOf(named)];
    await statementsOf(transaction).run(FORGET_VERSIONS, values);
    await statementsOf(transaction).run(FORGET_PHOTOS, values);
  }

  private async versions(transaction: TenantTransaction, sql: string, imageId: string): Promise<ReportVersionId[]> {
    return (await statementsOf(transaction).run<ReportVersionId>(sql, [...mine(transaction), imageId])).rows;
  }
}

function mine({ tenant }: TenantTransaction): readonly [string, string] {
  return [tenant.organizationId, tenant.environment];
}

function formOf({ format, language, paper }: DocumentForm): readonly string[] {
  return [format, language, paper ?? 'none'];
}

function columnsOf(named: readonly ReportVersionId[]): readonly [string[], number[]] {
  return [named.map(({ reportId }) => reportId), named.map(({ version }) => version)];
}
