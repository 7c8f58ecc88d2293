import { Injectable } from '@nestjs/common';
import type { Wound } from '../../core/followup/wound.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { CONCERNS, concernOfVerdict, type Concern } from '../../core/report/concern.js';
import {
  WorklistRepository,
  type ListedReport,
  type ListedWound,
  type ListPage,
} from '../../core/report/worklist.repository.js';
import { VERDICTS } from '../../core/followup/course.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { FIGURES_COLUMNS, toReportFigures, type FiguresRow } from './report-row.js';
import { SELECT_WOUNDS } from './wound-row.js';

const rankOf = (concern: Concern): number => CONCERNS.indexOf(concern) + 1;
/** Of a report that a process of the release before wrote; as in the index. */
const RANK = `coalesce(report.concern, ${rankOf('unknown')}::smallint)`;
/** As in the index, too. */
const WAITS = `(report.status = 'preliminary' or report.attention is not null or report.concern is not null)`;
const LATER = (rank: string, since: string, id: string): string =>
  `($3::smallint is null or ${rank} = $3) and ($4::smallint is null or (${rank}, ${since}, ${id}) > ($4, $5::timestamptz, $6::uuid))`;
const woundAt = (id: string): string =>
  `(select row_to_json(found) from (${SELECT_WOUNDS} where id = ${id}) found) as wound`;

/** The wound that one was joined into by people, at the end of the chain. */
const ROOT = `(with recursive chain as (
    select id, merged_into from wounds where id = page.wound_id
    union all select parent.id, parent.merged_into from wounds parent join chain on parent.id = chain.merged_into)
  select id from chain where merged_into is null)`;

const FOR_REVIEW = `with page as (
    select report.*, ${RANK} as rank from reports report
      where report.organization_id = $1 and report.environment = $2 and ${WAITS}
        and ${LATER(RANK, 'report.created_at', 'report.id')}
      order by ${RANK}, report.created_at, report.id limit $7)
  select ${FIGURES_COLUMNS.replaceAll('report.', 'page.')}, page.rank, page.created_at as since, ${woundAt(ROOT)}
    from page join report_versions made on made.report_id = page.id and made.version = page.version
    order by page.rank, page.created_at, page.id`;

/** `verdict` as the last photo's report has it. */
const RANK_IN_CARE = `(case when last.attention is not null or last.concern = ${rankOf('held')} then ${rankOf('held')}
    ${VERDICTS.map((verdict) => `when last.verdict = '${verdict}' then ${rankOf(concernOfVerdict(verdict))}`).join(' ')}
    else ${rankOf('unknown')} end)::smallint`;
const familyOf = (root: string): string => `with recursive family as (
      select ${root} as id union all select child.id from wounds child join family on child.merged_into = family.id)`;

const IN_CARE = `with care as (
    select root.id as root, last.*, ${RANK_IN_CARE} as rank from wounds root cross join lateral (
      ${familyOf('root.id')}
      select report.*, made.figures #>> '{comparison,course,verdict}' as verdict
        from reports report join report_versions made on made.report_id = report.id and made.version = report.version
        where report.wound_id = any (array(select id from family)) and report.status <> 'entered-in-error'
        order by report.captured_at desc, report.created_at desc, report.id desc limit 1) last
      where root.organization_id = $1 and root.environment = $2 and root.status = 'open' and root.merged_into is null),
  page as (
    select care.* from care where ${LATER('care.rank', 'care.captured_at', 'care.root')}
      order by care.rank, care.captured_at, care.root limit $7)
  select ${FIGURES_COLUMNS.replaceAll('report.', 'page.')}, page.rank, page.captured_at as since, ${woundAt('page.root')},
    (select count(*)::int from reports report where ${WAITS} and report.wound_id = any (array(
      ${familyOf('page.root')} select id from family))) as waiting
    from page join report_versions made on made.report_id = page.id and made.version = page.version
    order by page.rank, page.captured_at, page.root`;

interface ListedRow extends FiguresRow {
  readonly rank: number;
  readonly since: Date;
  /** As JSON: moments are texts. */
  readonly wound: Omit<Wound, 'createdAt' | 'closedAt'> & {
    readonly createdAt: string;
    readonly closedAt: string | null;
  };
}

@Injectable()
export class SqlWorklistRepository extends WorklistRepository {
  async reportsForReview(transaction: TenantTransaction, page: ListPage): Promise<ListedReport[]> {
    const { rows } = await statementsOf(transaction).run<ListedRow>(FOR_REVIEW, valuesOf(transaction, page));
    return rows.map(toListed);
  }

  async woundsInCare(transaction: TenantTransaction, page: ListPage): Promise<ListedWound[]> {
    const { rows } = await statementsOf(transaction).run<ListedRow & { readonly waiting: number }>(
      IN_CARE,
      valuesOf(transaction, page),
    );
    return rows.map((row) => ({ ...toListed(row), waiting: row.waiting }));
  }
}

function valuesOf({ tenant }: TenantTransaction, { concern, after, limit }: ListPage): unknown[] {
  return [
    tenant.organizationId,
    tenant.environment,
    concern === null ? null : rankOf(concern),
    after === null ? null : rankOf(after.concern),
    after?.since ?? null,
    after?.id ?? null,
    limit,
  ];
}

function toListed(row: ListedRow): ListedReport {
  const { wound, rank, since } = row;
  return {
    report: toReportFigures(row),
    wound: {
      ...wound,
      createdAt: new Date(wound.createdAt),
      closedAt: wound.closedAt === null ? null : new Date(wound.closedAt),
    },
    concern: CONCERNS[rank - 1]!,
    since,
  };
}
