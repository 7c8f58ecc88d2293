import { Injectable } from '@nestjs/common';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import {
  MOST_PRESENT,
  PRESENCE_S,
  ReviewPresence,
  type DeskSurroundings,
  type OpenDesk,
  type PresentPerson,
} from '../../core/report/review-presence.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const NOTE = `with gone as (delete from review_presence where ctid = any (array(
      select ctid from review_presence where organization_id = $1 and environment = $2 and seen_at < sutura_now() - make_interval(secs => ${10 * PRESENCE_S}) limit 20 for update skip locked)))
  insert into review_presence as known (organization_id, environment, link_id, tab_id, report_id, author, name, can_decide, since, seen_at)
    select $1, $2, $3, $4, id, $6, $7, $8, sutura_now(), sutura_now() from reports where organization_id = $1 and environment = $2 and id = $5
  on conflict (link_id, tab_id) do update set report_id = excluded.report_id, seen_at = excluded.seen_at, name = excluded.name, can_decide = excluded.can_decide,
    since = case when known.report_id = excluded.report_id and known.seen_at > excluded.seen_at - make_interval(secs => ${PRESENCE_S}) then known.since else excluded.since end`;
const AROUND = `select sutura_now() as "asOf",
    (select version from reports where organization_id = $1 and environment = $2 and id = $5) as "reportVersion",
    (select revision from review_drafts where organization_id = $1 and environment = $2 and report_id = $5 and author = $6) as "draftRevision",
    (select coalesce(json_agg(other order by other.since), '[]') from (
      select name, can_decide as "canDecide", author = $6 as "isSamePerson", since from review_presence
        where organization_id = $1 and environment = $2 and report_id = $5 and (link_id, tab_id) <> ($3::uuid, $4::uuid)
          and seen_at > sutura_now() - make_interval(secs => ${PRESENCE_S})
        order by since limit ${MOST_PRESENT}) other) as others`;
const LEAVE = `delete from review_presence where organization_id = $1 and environment = $2 and link_id = $3 and tab_id = $4 and report_id = $5`;
const REMOVE_SILENT = `delete from review_presence where seen_at < sutura_now() - make_interval(secs => ${10 * PRESENCE_S})`;

interface AroundRow extends Omit<DeskSurroundings, 'others'> {
  readonly others: readonly (Omit<PresentPerson, 'since'> & { readonly since: string })[];
}

@Injectable()
export class SqlReviewPresence extends ReviewPresence {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async note(transaction: TenantTransaction, desk: OpenDesk): Promise<DeskSurroundings> {
    const { organizationId, environment } = transaction.tenant;
    const page = [organizationId, environment, desk.linkId, desk.tabId, desk.reportId, desk.author];
    const statements = statementsOf(transaction);
    await statements.run(NOTE, [...page, desk.name, desk.canDecide]);
    await statements.run(`select set_config('app.author', $1, true)`, [desk.author]);
    const { rows } = await statements.run<AroundRow>(AROUND, page);
    const { others, ...around } = rows[0]!;
    return { ...around, others: others.map((one) => ({ ...one, since: new Date(one.since) })) };
  }

  async leave(
    transaction: TenantTransaction,
    { linkId, tabId, reportId }: Pick<OpenDesk, 'linkId' | 'tabId' | 'reportId'>,
  ): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(LEAVE, [organizationId, environment, linkId, tabId, reportId]);
  }

  async removeSilent(): Promise<number> {
    return (await this.statements.run(REMOVE_SILENT, [])).affected;
  }
}
