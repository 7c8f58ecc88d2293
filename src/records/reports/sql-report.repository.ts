import { Injectable } from '@nestjs/common';
import { CONCERNS, concernOf } from '../../core/report/concern.js';
import {
  ReportRepository,
  type CurrentReport,
  type KnownSeries,
  type SeriesWithHistory,
  type StageInSeries,
  type WaitingReport,
} from '../../core/report/report.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { ClinicalReport, ReportFigures } from '../../core/report/clinical-report.js';
import type { ReportReview } from '../../core/report/review.js';
import type { WoundKey } from '../../core/followup/wound.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, readTwice, SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { SqlOutbox, HANDLERS_COLUMN, eventInsertOf, type WrittenHandlersRow } from '../events/sql-outbox.js';
import type { PhotoFiling } from '../../core/followup/same-photo.js';
import { filingsOfPhoto } from './same-photo.js';
import { HISTORY, RELATIONS, toDecided, TREATMENTS, type HistoryRow } from './wound-decisions-row.js';
import { NOBODY } from './wound-row.js';
import {
  FIGURES_COLUMNS,
  partContent,
  REPORT_COLUMNS,
  REPORT_CONTENTS,
  toReport,
  toReportFigures,
  type FiguresRow,
  type ReportRow,
} from './report-row.js';

/** $1 to $9 are those of the version in each statement that inserts one. `report`: a further source, with a comma before it. */
const INSERT_VERSIONS_OF = (report: string): string =>
  `insert into report_versions (report_id, version, organization_id, environment, status, reason, issued_at, figures, details, content_version)
  select given.*, ${REPORT_CONTENTS.presentVersion}
    from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::json[], $9::json[]) as given${report}`;
const INSERT = `with filed as (insert into reports (id, organization_id, environment, job_id, image_id, wound_id, captured_at, version, status, replaces, created_at, attention, concern)
  values ($10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, string_to_array($21, ' '), $22) on conflict do nothing
    returning id, organization_id, environment),
  told as (${eventInsertOf('report.ready', { source: 'filed', subject: 'id' }, ['$23', '$24', '$25', '$26'])})
  ${INSERT_VERSIONS_OF(', filed')} returning ${HANDLERS_COLUMN}`;
const INSERT_VERSIONS = INSERT_VERSIONS_OF('');
const SET_PRESENT = `update reports report set version = given.version, status = given.status, attention = string_to_array(given.attention, ' '),
  concern = given.concern
  from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::smallint[]) as given (id, version, status, attention, concern)
  where report.organization_id = $6 and report.environment = $7 and report.id = given.id`;
const MINE = 'report.organization_id = $1 and report.environment = $2';
const SELECT = `select ${REPORT_COLUMNS} from reports report join report_versions made on made.report_id = report.id`;
const FIND = `${SELECT} and made.version = report.version where ${MINE} and report.id = $3`;
const VERSIONS = `${SELECT} where ${MINE} and report.id = $3 order by made.version`;
const seriesOf = (columns: string, condition = ''): string => `with recursive family as (
    select id from wounds where organization_id = $1 and environment = $2 and id = $3
    union all select child.id from wounds child join family on child.merged_into = family.id
      where child.organization_id = $1 and child.environment = $2)
  select ${columns} from reports report join report_versions made on made.report_id = report.id and made.version = report.version
  where ${MINE} and report.wound_id = any (array(select id from family)) and report.status <> 'entered-in-error'${condition}
  order by report.captured_at, report.id`;
/**
 * As `FIGURES`, of the wound with this key and with its root's history, as one row. Read as the service itself: the key is that of
 * the tenant's own job.
 */
const KNOWN_SERIES = `with recursive named as (
    select id, merged_into from wounds where organization_id = $1 and environment = $2
      and coalesce(patient_id, '${NOBODY}') = coalesce($3::uuid, '${NOBODY}') and wound_id_system = $4 and wound_id = $5),
  chain as (
    select id, merged_into from named
    union all select parent.id, parent.merged_into from wounds parent join chain on parent.id = chain.merged_into),
  family as (
    select id from chain where merged_into is null
    union all select child.id from wounds child join family on child.merged_into = family.id
      where child.organization_id = $1 and child.environment = $2)
  select named.id as "woundRef",
    (select coalesce(json_agg(row_to_json(report_row)), '[]') from (
      select ${FIGURES_COLUMNS} from reports report
        join report_versions made on made.report_id = report.id and made.version = report.version
        where ${MINE} and report.wound_id = any (array(select id from family)) and report.status <> 'entered-in-error'
        order by report.captured_at, report.id) report_row) as series,
    (select coalesce(json_agg(row_to_json(event_row)), '[]') from (
      select decision, reason, decided_at as "decidedAt" from wound_events
        where wound_id = (select id from chain where merged_into is null) order by decided_at, id) event_row) as history,
    (${TREATMENTS}) as treatments,
    (${RELATIONS}) as relations
  from named`;
const HISTORY_ALONE = `select (${HISTORY}) as history, null as treatments, null as relations where $1::uuid is not null and $2::text is not null`;
const SERIES = seriesOf(REPORT_COLUMNS);
const SERIES_WITH_HISTORY = seriesOf(
  `${REPORT_COLUMNS}, (${HISTORY}) as history, (${TREATMENTS}) as treatments, (${RELATIONS}) as relations`,
);
const FIGURES = seriesOf(FIGURES_COLUMNS);
const STAGE = `made.details -> 'clinicianObservations' -> 'stage'`;
const STAGES = seriesOf(
  `report.id as "reportId", report.image_id as "imageId", report.wound_id as "woundId", report.captured_at as "capturedAt", ${STAGE} as stage,
    coalesce(${STAGE} ->> 'statedAt', made.details -> 'clinicianObservations' -> 'statedAt' ->> 'stage') as "statedAt"`,
  ` and ${STAGE} is not null and made.figures -> 'comparison' ->> 'supersededBy' is null
    and coalesce('site_mismatch' <> all (report.attention), true)`,
);
/** Each wound with all that was joined into it. */
const WAITING = `with recursive family as (
    select id, id as wound from wounds where organization_id = $1 and environment = $2 and id = any ($3)
    union all select child.id, family.wound from wounds child join family on child.merged_into = family.id
      where child.organization_id = $1 and child.environment = $2)
  select family.wound, report.id as "reportId", report.captured_at as "capturedAt", made.figures ->> 'capturedAsStated' as "capturedAsStated",
    report.attention as reasons
  from family join reports report on ${MINE} and report.wound_id = family.id and report.attention is not null
  join report_versions made on made.report_id = report.id and made.version = report.version
  order by report.captured_at, report.id`;
const REPLACED = `update reports report set replaced_by = $4 where ${MINE} and report.id = $3`;
const RECORD_REVIEW = `insert into report_reviews (id, organization_id, environment, report_id, version, decision, reviewer, note, changes, reviewed_at, entered_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

interface KnownSeriesRow extends HistoryRow {
  readonly woundRef: string;
  readonly series: readonly FiguresRow[];
}

@Injectable()
export class SqlReportRepository extends ReportRepository {
  constructor(
    private readonly systemStatements: SystemStatements,
    private readonly outbox: SqlOutbox,
  ) {
    super();
  }

  async insert(transaction: TenantTransaction, report: ClinicalReport, woundId: string): Promise<boolean> {
    const { id, organizationId, environment, jobId, imageId, version, status, replaces, issuedAt, content } = report;
    const values = [
      id,
      organizationId,
      environment,
      jobId,
      imageId,
      woundId,
      content.capturedAt,
      version,
      status,
      replaces,
      issuedAt,
      attentionText(report),
      concernRank(report),
    ];
    const told = this.outbox.address('report.ready');
    const { rows } = await statementsOf(transaction).runPrepared<WrittenHandlersRow>(INSERT, [
      ...versionValues([report]),
      ...values,
      ...told.values,
    ]);
    const filed = rows[0];
    if (filed === undefined) return false;
    transaction.afterCommit(() => told.handOver(transaction.tenant, id, filed.told));
    return true;
  }

  async append(transaction: TenantTransaction, reports: readonly ClinicalReport[]): Promise<void> {
    await statementsOf(transaction).runPrepared(INSERT_VERSIONS, versionValues(reports));
    await statementsOf(transaction).runPrepared(SET_PRESENT, [
      reports.map(({ id }) => id),
      reports.map(({ version }) => version),
      reports.map(({ status }) => status),
      reports.map(attentionText),
      reports.map(concernRank),
      ...mine(transaction),
    ]);
  }

  async markReplaced(transaction: TenantTransaction, reportId: string, replacedBy: string): Promise<void> {
    await statementsOf(transaction).run(REPLACED, [...mine(transaction), reportId, replacedBy]);
  }

  async find(transaction: TenantTransaction, reportId: string): Promise<CurrentReport | null> {
    const { tenant } = transaction;
    if (!isCanonicalUuid(reportId)) return null;
    const { rows } = await statementsOf(transaction).run<ReportRow>(FIND, [
      tenant.organizationId,
      tenant.environment,
      reportId,
    ]);
    const row = rows[0];
    return row === undefined ? null : { report: toReport(row), woundId: row.wound_id };
  }

  async versions(transaction: TenantTransaction, reportId: string): Promise<ClinicalReport[]> {
    const { tenant } = transaction;
    if (!isCanonicalUuid(reportId)) return [];
    return (
      await statementsOf(transaction).runPrepared<ReportRow>(VERSIONS, [
        tenant.organizationId,
        tenant.environment,
        reportId,
      ])
    ).rows.map(toReport);
  }

  async series(transaction: TenantTransaction, rootWoundId: string): Promise<ClinicalReport[]> {
    const { tenant } = transaction;
    return (
      await statementsOf(transaction).run<ReportRow>(SERIES, [tenant.organizationId, tenant.environment, rootWoundId])
    ).rows.map(toReport);
  }

  async seriesWithHistory(transaction: TenantTransaction, rootWoundId: string): Promise<SeriesWithHistory> {
    const values = [...mine(transaction), rootWoundId];
    const statements = statementsOf(transaction);
    const { rows } = await statements.runPrepared<ReportRow & HistoryRow>(SERIES_WITH_HISTORY, values);
    if (rows[0] !== undefined) return { reports: rows.map(toReport), ...toDecided(rows[0]) };
    // A wound without a report that stands may have been closed all the same.
    const alone = await statements.run<HistoryRow>(HISTORY_ALONE, values);
    return { reports: [], ...toDecided(alone.rows[0]!) };
  }

  async figures(transaction: TenantTransaction, rootWoundId: string): Promise<ReportFigures[]> {
    const values = [...mine(transaction), rootWoundId];
    return (await statementsOf(transaction).runPrepared<FiguresRow>(FIGURES, values)).rows.map(toReportFigures);
  }

  async stages(transaction: TenantTransaction, rootWoundId: string): Promise<StageInSeries[]> {
    const values = [...mine(transaction), rootWoundId];
    return (await statementsOf(transaction).runPrepared<StageInSeries>(STAGES, values)).rows;
  }

  async knownSeries(tenant: Tenant, { patientId, woundIdSystem, woundId }: WoundKey): Promise<KnownSeries | null> {
    const values = [tenant.organizationId, tenant.environment, patientId, woundIdSystem, woundId];
    const { rows } = await readTwice(() => this.systemStatements.runPrepared<KnownSeriesRow>(KNOWN_SERIES, values));
    const row = rows[0];
    if (row === undefined) return null;
    return { woundRef: row.woundRef, figures: row.series.map(toReportFigures), ...toDecided(row) };
  }

  async waiting(
    transaction: TenantTransaction,
    woundIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly WaitingReport[]>> {
    const { organizationId, environment } = transaction.tenant;
    const byWound = new Map<string, WaitingReport[]>();
    if (woundIds.length === 0) return byWound;
    const { rows } = await statementsOf(transaction).runPrepared<WaitingReport & { readonly wound: string }>(WAITING, [
      organizationId,
      environment,
      woundIds,
    ]);
    for (const { wound, ...waiting } of rows) byWound.set(wound, [...(byWound.get(wound) ?? []), waiting]);
    return byWound;
  }

  filingsOfPhoto(transaction: TenantTransaction, imageId: string, pixelSha256: string | null): Promise<PhotoFiling[]> {
    return filingsOfPhoto(transaction, imageId, pixelSha256);
  }

  async recordReview(transaction: TenantTransaction, review: ReportReview): Promise<void> {
    const { tenant } = transaction;
    const values = [
      review.id,
      tenant.organizationId,
      tenant.environment,
      review.reportId,
      review.version,
      review.decision,
    ];
    await statementsOf(transaction).run(RECORD_REVIEW, [
      ...values,
      toJsonb(review.reviewer),
      review.note,
      toJsonb(review.changes),
      review.reviewedAt,
      review.enteredBy,
    ]);
  }
}

function versionValues(reports: readonly ClinicalReport[]): unknown[] {
  const parts = reports.map(({ content }) => partContent(content));
  return [
    reports.map(({ id }) => id),
    reports.map(({ version }) => version),
    reports.map(({ organizationId }) => organizationId),
    reports.map(({ environment }) => environment),
    reports.map(({ status }) => status),
    reports.map(({ reason }) => reason),
    reports.map(({ issuedAt }) => issuedAt),
    parts.map(({ figures }) => JSON.stringify(figures)),
    parts.map(({ details }) => JSON.stringify(details)),
  ];
}

function mine({ tenant }: TenantTransaction): readonly [string, string] {
  return [tenant.organizationId, tenant.environment];
}

/** Withdrawn reports need no decision. */
function attentionText({ status, content }: ClinicalReport): string | null {
  const { attention } = content.comparison;
  return status === 'entered-in-error' || attention.length === 0 ? null : attention.join(' ');
}

/** null: it waits for nobody. */
function concernRank(report: ClinicalReport): number | null {
  const concern = concernOf(report);
  return concern === null ? null : CONCERNS.indexOf(concern) + 1;
}
