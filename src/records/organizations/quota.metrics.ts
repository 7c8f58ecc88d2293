import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ANALYSES_PER_DAY } from '../../core/organizations/organization.js';
import { SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { MetricReading } from '../../platform/health/metric-reading.js';
import { labelledGaugeOf } from '../../platform/health/shared-metrics.js';

/** Organizations below this are left out, so that the series are few. */
const SHOWN_FROM = 0.5;
const SHARES = `select organization_id as organization, used::float8 / nullif(coalesce(daily_limit_override, ($1::jsonb ->> plan)::int), 0) as share
  from quota_usage join organizations on organizations.id = organization_id
  where day = (sutura_now() at time zone 'UTC')::date`;

interface Share {
  readonly organization: string;
  /** null: none is allowed. */
  readonly share: number | null;
}

/** How much of today's analyses organizations have used. */
@Injectable()
export class QuotaMetrics implements OnModuleInit {
  constructor(private readonly statements: SystemStatements) {}

  onModuleInit(): void {
    const reading = new MetricReading(() => this.shares());
    labelledGaugeOf(
      'sutura_quota_used_ratio',
      'Share of its analyses of the UTC day that an organization has used, from one half on; alarm before it is 1',
      ['organization'],
      async () =>
        ((await reading.latest()) ?? []).flatMap(({ organization, share }) =>
          share === null || share < SHOWN_FROM ? [] : [{ labels: { organization }, value: share }],
        ),
    );
  }

  private async shares(): Promise<readonly Share[]> {
    return (await this.statements.run<Share>(SHARES, [toJsonb(ANALYSES_PER_DAY)])).rows;
  }
}
