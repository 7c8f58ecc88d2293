import { Injectable } from '@nestjs/common';
import { QuotaLedger } from '../../core/organizations/quota-ledger.js';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { QuotaUsage } from '../../core/tenancy/quota-usage.js';
import type { Plan } from '../../core/organizations/organization.js';
import { isCanonicalUuid, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const TODAY = `(select at, (at at time zone 'UTC')::date as day from (select sutura_now() as at) clock) today`;
/** Whole seconds to the next 00:00 UTC. */
const RESETS_IN_S = `greatest(1, ceil(extract(epoch from ((today.day + 1)::timestamp at time zone 'UTC') - today.at)))::int as "resetsInS"`;

/**
 * One statement: the row lock of `on conflict` makes concurrent charges wait for one another, and `used < limit` is
 * checked under it.
 */
const CHARGE = `with today as materialized (select * from ${TODAY}),
  allowed as materialized (
    select coalesce(daily_limit_override, ($2::jsonb ->> plan)::int) as most from organizations where id = $1),
  charged as (
    insert into quota_usage (organization_id, day, used) select $1, today.day, 1 from today, allowed where allowed.most > 0
      on conflict (organization_id, day) do update set used = quota_usage.used + 1
        where quota_usage.used < (select most from allowed)
      returning used)
  select allowed.most as "limit", charged.used, ${RESETS_IN_S} from charged, allowed, today`;
const USAGE = `with today as materialized (select * from ${TODAY})
  select coalesce((select used from quota_usage where organization_id = $1 and day = today.day), 0) as used, ${RESETS_IN_S} from today`;

const USED_ON = 'select used from quota_usage where organization_id = $1 and day = $2::date';

interface UsageRow {
  readonly used: number;
  readonly resetsInS: number;
}

@Injectable()
export class SqlQuotaLedger extends QuotaLedger {
  async charge(
    transaction: Transaction,
    organizationId: string,
    perDay: Readonly<Record<Plan, number>>,
  ): Promise<QuotaUsage | null> {
    const { rows } = await statementsOf(transaction).runPrepared<QuotaUsage>(CHARGE, [organizationId, toJsonb(perDay)]);
    return rows[0] ?? null;
  }

  async usage(transaction: Transaction, organizationId: string, limit: number): Promise<QuotaUsage> {
    if (!isCanonicalUuid(organizationId)) throw new Error('An organization id is a UUID.');
    const { rows } = await statementsOf(transaction).run<UsageRow>(USAGE, [organizationId]);
    return { limit, used: rows[0]?.used ?? 0, resetsInS: rows[0]?.resetsInS ?? 1 };
  }

  async usedOn(transaction: Transaction, organizationId: string, day: string): Promise<number> {
    if (!isCanonicalUuid(organizationId)) throw new Error('An organization id is a UUID.');
    const { rows } = await statementsOf(transaction).run<{ used: number }>(USED_ON, [organizationId, day]);
    return rows[0]?.used ?? 0;
  }
}
