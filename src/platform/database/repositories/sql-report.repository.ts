import { Injectable } from '@nestjs/common';
import type { PixelPolygon } from '../../../core/analysis/wound-result.js';
import { ReportRepository, type CurrentReport } from '../../../core/ports/report.repository.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport, SeriesContent, SeriesReport, VersionReason } from '../../../core/report/clinical-report.js';
import type { ReportStatus } from '../../../core/report/report-status.js';
import type { ReportReview } from '../../../core/report/review.js';
import type { Environment, Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, toJsonb } from '../statements.js';
import { statementsOf } from '../unit-of-work.js';

/** A report joined with one of its versions. */
interface ReportRow {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly job_id: string;
  readonly image_id: string;
  readonly wound_id: string;
  readonly replaces: string | null;
  readonly replaced_by: string | null;
  readonly version: number;
  readonly status: ReportStatus;
  readonly reason: VersionReason;
  readonly issued_at: Date;
  readonly content: SeriesContent;
}

interface OutlinedReportRow extends ReportRow {
  readonly outlines: readonly PixelPolygon[];
}

const INSERT = `insert into reports (id, organization_id, environment, job_id, image_id, wound_id, captured_at, version, status, replaces, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`;
const INSERT_VERSION = `insert into report_versions (report_id, version, organization_id, environment, status, reason, issued_at, content, outlines)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const APPEND_FIGURES = `with given as (
    select * from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::timestamptz[], $6::json[])
      as given (report_id, version, status, reason, issued_at, content)),
  written as (
    insert into report_versions (report_id, version, organization_id, environment, status, reason, issued_at, content, outlines)
    select given.report_id, given.version, before.organization_id, before.environment, given.status, given.reason, given.issued_at, given.content, before.outlines
      from given join report_versions before on before.report_id = given.report_id and before.version = given.version - 1)
  update reports report set version = given.version, status = given.status from given where report.id = given.report_id`;
const FIGURES = `report.id, report.organization_id, report.environment, report.job_id, report.image_id, report.wound_id,
    report.replaces, report.replaced_by, made.version, made.status, made.reason, made.issued_at, made.content`;
const SOURCE = 'from reports report join report_versions made on made.report_id = report.id';
const MINE = 'report.organization_id = $1 and report.environment = $2';
const FIND = `select ${FIGURES}, made.outlines ${SOURCE} and made.version = report.version where ${MINE} and report.id = $3`;
const VERSIONS = `select ${FIGURES}, made.outlines ${SOURCE} where ${MINE} and report.id = $3 order by made.version`;
const seriesOf = (columns: string): string => `with recursive family as (
    select id from wounds where organization_id = $1 and environment = $2 and id = $3
    union all select child.id from wounds child join family on child.merged_into = family.id)
  select ${columns} ${SOURCE} and made.version = report.version
  where ${MINE} and report.wound_id in (select id from family) and report.status <> 'entered-in-error'
  order by report.captured_at, report.id`;
const SERIES = seriesOf(FIGURES);
const SERIES_WITH_OUTLINES = seriesOf(`${FIGURES}, made.outlines`);
const RECORD_REVIEW = `insert into report_reviews (id, organization_id, environment, report_id, version, decision, reviewer, note, changes, reviewed_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

@Injectable()
export class SqlReportRepository extends ReportRepository {
  async insert(transaction: Transaction, report: ClinicalReport, woundId: string): Promise<boolean> {
    const { id, organizationId, environment, jobId, imageId, version, status, replaces, issuedAt, content } = report;
    const values = [id, organizationId, environment, jobId, imageId, woundId, content.capturedAt, version, status, replaces, issuedAt];
    const { affected } = await statementsOf(transaction).run(INSERT, values);
    if (affected === 1) await this.insertVersion(transaction, report);
    return affected === 1;
  }

  async append(transaction: Transaction, report: ClinicalReport): Promise<void> {
    await this.insertVersion(transaction, report);
    await statementsOf(transaction).run('update reports set version = $2, status = $3 where id = $1', [report.id, report.version, report.status]);
  }

  async appendFigures(transaction: Transaction, reports: readonly SeriesReport[]): Promise<void> {
    const columns = [
      reports.map(({ id }) => id),
      reports.map(({ version }) => version),
      reports.map(({ status }) => status),
      reports.map(({ reason }) => reason),
      reports.map(({ issuedAt }) => issuedAt),
      reports.map(({ content }) => JSON.stringify(content)),
    ];
    const { affected } = await statementsOf(transaction).run(APPEND_FIGURES, columns);
    if (affected !== reports.length) throw new Error('A further version stands on one that is not there.');
  }

  async markReplaced(transaction: Transaction, reportId: string, replacedBy: string): Promise<void> {
    await statementsOf(transaction).run('update reports set replaced_by = $2 where id = $1', [reportId, replacedBy]);
  }

  async find(transaction: Transaction, tenant: Tenant, reportId: string): Promise<CurrentReport | null> {
    if (!isCanonicalUuid(reportId)) return null;
    const { rows } = await statementsOf(transaction).run<OutlinedReportRow>(FIND, [tenant.organizationId, tenant.environment, reportId]);
    const row = rows[0];
    return row === undefined ? null : { report: toReport(row), woundId: row.wound_id };
  }

  async versions(transaction: Transaction, tenant: Tenant, reportId: string): Promise<ClinicalReport[]> {
    if (!isCanonicalUuid(reportId)) return [];
    return (await statementsOf(transaction).run<OutlinedReportRow>(VERSIONS, [tenant.organizationId, tenant.environment, reportId])).rows.map(toReport);
  }

  async series(transaction: Transaction, tenant: Tenant, rootWoundId: string): Promise<SeriesReport[]> {
    return (await statementsOf(transaction).run<ReportRow>(SERIES, [tenant.organizationId, tenant.environment, rootWoundId])).rows.map(toSeriesReport);
  }

  async seriesWithOutlines(transaction: Transaction, tenant: Tenant, rootWoundId: string): Promise<ClinicalReport[]> {
    return (await statementsOf(transaction).run<OutlinedReportRow>(SERIES_WITH_OUTLINES, [tenant.organizationId, tenant.environment, rootWoundId])).rows.map(toReport);
  }

  async recordReview(transaction: Transaction, tenant: Tenant, review: ReportReview): Promise<void> {
    const values = [review.id, tenant.organizationId, tenant.environment, review.reportId, review.version, review.decision];
    await statementsOf(transaction).run(RECORD_REVIEW, [...values, toJsonb(review.reviewer), review.note, toJsonb(review.changes), review.reviewedAt]);
  }

  private async insertVersion(transaction: Transaction, report: ClinicalReport): Promise<void> {
    const { id, version, organizationId, environment, status, reason, issuedAt, content } = report;
    const { outlines, ...findings } = content.findings;
    const values = [id, version, organizationId, environment, status, reason, issuedAt, JSON.stringify({ ...content, findings }), JSON.stringify(outlines)];
    await statementsOf(transaction).run(INSERT_VERSION, values);
  }
}

function toReport(row: OutlinedReportRow): ClinicalReport {
  const report = toSeriesReport(row);
  const { photo, woundDetected, ...findings } = report.content.findings;
  // In the place that they had when they were written, so that a version is served as the same bytes for ever.
  return { ...report, content: { ...report.content, findings: { photo, woundDetected, outlines: row.outlines, ...findings } } };
}

function toSeriesReport(row: ReportRow): SeriesReport {
  return {
    id: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    version: row.version,
    status: row.status,
    reason: row.reason,
    jobId: row.job_id,
    imageId: row.image_id,
    replaces: row.replaces,
    replacedBy: row.replaced_by,
    issuedAt: row.issued_at,
    content: row.content,
  };
}
