import { Injectable } from '@nestjs/common';
import { PushCounts, type PushCount } from '../../../core/ehrs/push-counts.js';
import { SystemStatements } from '../../../platform/database/statements.js';

const COUNTS = `select ehr_id as "ehrId", count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'delivered')::int as sent,
    count(*) filter (where state = 'parked' and parked_for = 'refused')::int as held, count(*) filter (where state = 'parked' and parked_for <> 'refused')::int as parked
  from ehr_deliveries where ehr_id = any($1::uuid[]) group by ehr_id`;
const NONE: PushCount = { waiting: 0, sent: 0, held: 0, parked: 0 };

/** Counted in the ledger itself. */
@Injectable()
export class SqlPushCounts extends PushCounts {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async of(ehrIds: readonly string[]): Promise<readonly PushCount[]> {
    const { rows } = await this.statements.run<PushCount & { readonly ehrId: string }>(COUNTS, [ehrIds]);
    const known = new Map(rows.map(({ ehrId, ...counts }) => [ehrId, counts]));
    return ehrIds.map((id) => known.get(id) ?? NONE);
  }
}
