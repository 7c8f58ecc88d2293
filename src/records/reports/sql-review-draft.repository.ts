import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { ReviewDraftRepository, type NewReviewDraft, type ReviewDraft } from '../../core/report/review-draft.js';
import { SystemStatements, toJsonb, type Statements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const MINE = 'organization_id = $1 and environment = $2 and report_id = $3 and author = $4';
// A name is of the link at which it was typed.
const FIND = `select revision, report_version as "reportVersion", saved_at as "savedAt",
    work || jsonb_build_object('reassignment', reassignment) || case when link_id = $5 then '{}' else '{"reviewerName": ""}'::jsonb end as work
  from review_drafts where ${MINE}`;
const GO_ON = `update review_drafts set revision = $5, report_version = $6, work = $7, reassignment = $8, other_patient = $9, size_bytes = $10, link_id = $11,
    saved_at = sutura_now()
  where ${MINE} and revision = any (array_append($12::uuid[], $5::uuid)) returning saved_at as "savedAt"`;
// The lock waits for a decision under way, whose version is looked at then.
const BEGIN = `insert into review_drafts (organization_id, environment, report_id, author, revision, report_version, work, reassignment, other_patient, size_bytes, link_id, saved_at)
    select $1, $2, id, $4, $5, $6, $7, $8, $9, $10, $11, sutura_now() from reports
      where organization_id = $1 and environment = $2 and id = $3 and ($12 or version <= $6) for share
  on conflict do nothing returning saved_at as "savedAt"`;
const END = `with gone as (delete from review_drafts where ${MINE} and revision = any ($5::uuid[]) returning revision)
  select exists (select from gone) or not exists (select from review_drafts where ${MINE}) as ended`;
const END_STEP = `update review_drafts set work = work - 'woundStep' where ${MINE} and lower(work -> 'woundStep' ->> 'requestId') = lower($5)`;
const IS_KNOWN = `select from reports where organization_id = $1 and environment = $2 and id = $3`;
const REMOVE_OLD = `delete from review_drafts where saved_at < sutura_now() - make_interval(days => $1)`;

@Injectable()
export class SqlReviewDraftRepository extends ReviewDraftRepository {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async find(
    transaction: TenantTransaction,
    author: string,
    reportId: string,
    linkId: string,
  ): Promise<ReviewDraft | null> {
    const statements = await asAuthor(transaction, author);
    const { rows } = await statements.run<ReviewDraft>(FIND, [...mine(transaction, author, reportId), linkId]);
    return rows[0] ?? null;
  }

  async keep(transaction: TenantTransaction, author: string, draft: NewReviewDraft): Promise<Date | null> {
    const statements = await asAuthor(transaction, author);
    const { reassignment, ...work } = draft.work;
    const row = [
      ...mine(transaction, author, draft.reportId),
      draft.revision,
      draft.reportVersion,
      toJsonb(work),
      reassignment === null ? null : toJsonb(reassignment),
      otherPatientOf(draft),
      draft.sizeBytes,
      draft.linkId,
    ];
    const run = (sql: string, last: unknown) => statements.run<{ readonly savedAt: Date }>(sql, [...row, last]);
    const wentOn = await run(GO_ON, draft.follows);
    if (wentOn.rows.length > 0) return wentOn.rows[0]!.savedAt;
    const isFirst = draft.isChosen || draft.follows.length === 0;
    const begun = isFirst ? await run(BEGIN, draft.isChosen) : wentOn;
    if (begun.rows.length > 0) return begun.rows[0]!.savedAt;
    const known = await statements.run(IS_KNOWN, mine(transaction, author, draft.reportId).slice(0, 3));
    if (known.rows.length === 0) throw new SuturaError('report.not_found');
    return null;
  }

  async end(
    transaction: TenantTransaction,
    author: string,
    reportId: string,
    revisions: readonly string[],
  ): Promise<boolean> {
    const statements = await asAuthor(transaction, author);
    const { rows } = await statements.run<{ readonly ended: boolean }>(END, [
      ...mine(transaction, author, reportId),
      revisions,
    ]);
    return rows[0]!.ended;
  }

  async endStep(transaction: TenantTransaction, author: string, reportId: string, requestId: string): Promise<void> {
    const statements = await asAuthor(transaction, author);
    await statements.run(END_STEP, [...mine(transaction, author, reportId), requestId]);
  }

  async removeOld(days: number): Promise<number> {
    return (await this.statements.run(REMOVE_OLD, [days])).affected;
  }
}

/** From here on the transaction is about this author's drafts: the policy of the table asks for it. */
async function asAuthor(transaction: TenantTransaction, author: string): Promise<Statements> {
  const statements = statementsOf(transaction);
  await statements.run(`select set_config('app.author', $1, true)`, [author]);
  return statements;
}

function mine({ tenant }: TenantTransaction, author: string, reportId: string): unknown[] {
  return [tenant.organizationId, tenant.environment, reportId, author];
}

function otherPatientOf({ work: { reassignment } }: NewReviewDraft): string | null {
  const typed = reassignment?.patientId.trim() ?? '';
  return typed === '' ? null : typed;
}
