import { Injectable } from '@nestjs/common';
import { FigureSamples, type FigureSample } from '../../core/figures/figure-samples.js';
import { LATENCY_BOUNDS_S, type KeptFigures } from '../../core/figures/service-figures.js';
import type { Environment, Tenant } from '../../core/tenancy/tenant.js';
import { FAILED, WAITS, WAITS_SINCE } from '../analysis/asked-waits.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';

const BOUNDS = `array[${LATENCY_BOUNDS_S.join(', ')}]::float8[]`;
const HAS = `select exists (select from service_samples where sampled_at = $1 and organization_id = '00000000-0000-0000-0000-000000000000') as found`;
/** After $1, until $2: each by an index of its time or of what waits. Without what was asked for in the sandbox: failures and waits. */
const ENDED = `select organization_id, environment, status, sandbox, width_bucket(extract(epoch from completed_at - ${WAITS_SINCE})::float8, ${BOUNDS}) as class,
    (result -> 'trace' -> 'models' -> 0 ->> 'name') || '/' || (result -> 'trace' -> 'models' -> 0 ->> 'version') as model
  from analysis_jobs where completed_at > $1 and completed_at <= $2`;
const COUNTS = `select organization_id, environment, 'analysed' as name, '' as part, count(*) as value from ended where status = 'completed' group by 1, 2
  union all select organization_id, environment, 'failed', '', count(*) from ended where ${FAILED} group by 1, 2
  union all select organization_id, environment, 'latencies', class::text, count(*) from ended where status = 'completed' group by 1, 2, class
  union all select organization_id, environment, 'models', model, count(*) from ended where model is not null group by 1, 2, model
  union all select organization_id, environment, 'messagesIn', '', count(*) from hl7_inbound where received_at > $1 and received_at <= $2 group by 1, 2
  union all select organization_id, environment, 'messagesRefused', '', count(*) from hl7_inbound where received_at > $1 and received_at <= $2 and state = 'failed' group by 1, 2
  union all select organization_id, environment, 'messagesOut', '', count(*) from hl7_outbox where created_at > $1 and created_at <= $2 group by 1, 2
  union all select endpoint.organization_id, endpoint.environment, 'attemptsFailed', '', count(*) from webhooks endpoint
    join webhook_attempts tried on tried.webhook_id = endpoint.id and tried.at > $1 and tried.at <= $2 and not tried.delivered group by 1, 2
  union all select endpoint.organization_id, endpoint.environment, 'attemptsFailed', '', count(*) from fhir_subscriptions endpoint
    join fhir_subscription_attempts tried on tried.subscription_id = endpoint.id and tried.at > $1 and tried.at <= $2 and not tried.delivered group by 1, 2
  union all select organization_id, environment, 'queued', '', count(*) from analysis_jobs where ${WAITS} group by 1, 2
  union all select organization_id, environment, 'queued', '', count(*) from analysis_jobs where status = 'processing' group by 1, 2
  union all select organization_id, 'live', 'quotaUsed', '', used from quota_usage where day = (($2::timestamptz - interval '1 microsecond') at time zone 'UTC')::date and used > 0`;
const STANDING = (['hl7_outbox', 'webhook_deliveries', 'fhir_subscription_deliveries'] as const).flatMap((table) =>
  (['waiting', 'parked'] as const).map(
    (state) =>
      `select organization_id, environment, 'deliveries${state === 'waiting' ? 'Waiting' : 'Parked'}', '', count(*) from ${table} where state = '${state}' group by 1, 2`,
  ),
);
const MEASURE = `with ended as materialized (${ENDED}), counted as (${[COUNTS, ...STANDING].join(' union all ')})
  select organization_id as "organizationId", environment, name, part, sum(value)::float8 as value from counted group by 1, 2, 3, 4`;
/** Atomic: a second writer stores nothing, as the row of the whole installation comes first. */
const KEEP = `with given as (select * from jsonb_to_recordset($1::jsonb) as one (organization_id uuid, environment text, sampled_at timestamptz, figures jsonb)),
  gone as (delete from service_samples where sampled_at < $2)
  insert into service_samples (organization_id, environment, sampled_at, figures) select organization_id, environment, sampled_at, figures from given
  on conflict (organization_id, environment, sampled_at) do nothing`;
const LIST = `select organization_id as "organizationId", environment, sampled_at as at, figures from service_samples
  where organization_id = $1 and ($2::text is null or environment = $2) and sampled_at > $3 order by sampled_at`;

interface Counted extends Tenant {
  readonly environment: Environment;
  readonly name: keyof KeptFigures;
  /** The class of a latency, or the model. */
  readonly part: string;
  readonly value: number;
}

@Injectable()
export class SqlFigureSamples extends FigureSamples {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async has(at: Date): Promise<boolean> {
    return (await this.statements.run<{ found: boolean }>(HAS, [at])).rows[0]?.found ?? false;
  }

  async measure(from: Date, at: Date): Promise<FigureSample[]> {
    const { rows } = await this.statements.run<Counted>(MEASURE, [from, at]);
    const tenants = new Map<string, Counted[]>();
    for (const row of rows) {
      const key = `${row.organizationId} ${row.environment}`;
      tenants.set(key, [...(tenants.get(key) ?? []), row]);
    }
    return [...tenants.values()].map((counted) => {
      const { organizationId, environment } = counted[0]!;
      return { organizationId, environment, at, figures: figuresOf(counted) };
    });
  }

  async keep(samples: readonly FigureSample[], olderThan: Date): Promise<void> {
    const rows = samples.map(({ organizationId, environment, at, figures }) => ({
      organization_id: organizationId,
      environment,
      sampled_at: at.toISOString(),
      figures: withoutZeros(figures),
    }));
    await this.statements.run(KEEP, [JSON.stringify(rows), olderThan]);
  }

  async list(from: Date, { organizationId, environment }: Partial<Tenant>): Promise<FigureSample[]> {
    if (!isCanonicalUuid(organizationId ?? '')) return [];
    return (await this.statements.run<FigureSample>(LIST, [organizationId, environment ?? null, from])).rows;
  }
}

function figuresOf(counted: readonly Counted[]): KeptFigures {
  const single = counted.filter(({ part }) => part === '').map(({ name, value }) => [name, value] as const);
  const classes = counted.filter(({ name }) => name === 'latencies');
  const latencies = Array.from({ length: LATENCY_BOUNDS_S.length + 1 }, (_, place) =>
    classes.reduce((sum, { part, value }) => sum + (Number(part) === place ? value : 0), 0),
  );
  const models = counted.filter(({ name }) => name === 'models').map(({ part, value }) => [part, value] as const);
  return {
    ...Object.fromEntries(single),
    ...(classes.length === 0 ? {} : { latencies }),
    ...(models.length === 0 ? {} : { models: Object.fromEntries(models) }),
  };
}

function withoutZeros(figures: KeptFigures): KeptFigures {
  return Object.fromEntries(
    Object.entries(figures).filter(
      ([, value]) => value !== 0 && (typeof value !== 'object' || Object.keys(value).length > 0),
    ),
  );
}
