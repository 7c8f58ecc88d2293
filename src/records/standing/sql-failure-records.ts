import { Injectable } from '@nestjs/common';
import {
  FailureRecords,
  type ChosenFailure,
  type FailureFilter,
  type FailureGroup,
  type FailureKind,
  type FailureSelection,
} from '../../core/failures/failure-group.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { FAILED } from '../analysis/asked-waits.js';

/** $1, $2: organization and environment, null for any; $3, $4: the range. */
const within = (row: string, at: string): string =>
  `($1::uuid is null or ${row}.organization_id = $1) and ($2::text is null or ${row}.environment = $2) and ${at} >= $3 and ${at} < $4`;

/** What is parked by an exit that keeps deliveries as the kit does; `answer`: the code that its receiver gave. */
function parked(deliveries: string, endpointId: string, answer: string): string {
  return `select one.id, one.organization_id, one.environment, one.${endpointId} as subject_id, one.created_at as at, one.attempts,
      concat_ws(' ', one.parked_for, nullif(coalesce(${answer}, one.fault), '')) as cause
    from ${deliveries} one where one.state = 'parked' and ${within('one', 'one.created_at')}`;
}

/** Every failure of a kind, with its cause, as long as nothing has put it right. */
const FAILURES: Readonly<Record<FailureKind, string>> = {
  message: `select one.id, one.organization_id, one.environment, one.source_id as subject_id, one.received_at as at, null::int as attempts,
      case one.state when 'sealed' then 'hl7.sealed'
        else coalesce(jsonb_path_query_first(one.problems, '$[*] ? (@.severity == "error")') ->> 'code', 'refused') end as cause
    from hl7_inbound one where one.state in ('failed', 'sealed') and ${within('one', 'one.received_at')}`,
  job: `select one.id, one.organization_id, one.environment, null::uuid as subject_id, one.completed_at as at, null::int as attempts, coalesce(one.error ->> 'code', 'unknown') as cause
    from analysis_jobs one where ${FAILED} and one.error ->> 'code' is distinct from 'job.cancelled' and ${within('one', 'one.completed_at')}
      and not exists (select from analysis_jobs other where other.image_id = one.image_id and other.organization_id = one.organization_id
        and other.environment = one.environment and (other.created_at, other.id) > (one.created_at, one.id))`,
  hl7: parked(
    'hl7_outbox',
    'destination_id',
    `nullif(concat_ws(' ', coalesce(one.application_code, one.ack_code), one.ack_condition), '')`,
  ),
  webhook: parked('webhook_deliveries', 'webhook_id', 'one.status_code::text'),
  subscription: parked('fhir_subscription_deliveries', 'subscription_id', 'one.status_code::text'),
  ehr: parked('ehr_deliveries', 'ehr_id', 'coalesce(one.held_for, one.answer_codes)'),
};

const GROUPS = `select kind, organization_id as "organizationId", environment, subject_id as "subjectId", cause, count(*)::int as count,
    min(at) as "firstAt", max(at) as "lastAt", (array_agg(id order by id desc))[1:3] as examples
  from (${Object.entries(FAILURES)
    .map(([kind, failures]) => `select '${kind}' as kind, failed.* from (${failures}) failed`)
    .join('\n    union all ')}) every_one
  group by 1, 2, 3, 4, 5 order by max(at) desc, 1, 5`;
const chosenOf = (kind: FailureKind): string =>
  `select id, attempts from (${FAILURES[kind]}) failed where cause = $5 and subject_id is not distinct from $6::uuid and ($7::uuid is null or id > $7) order by id limit $8`;
const causeOf = (kind: FailureKind): string => `select cause from (${FAILURES[kind]}) failed where id = $5`;

@Injectable()
export class SqlFailureRecords extends FailureRecords {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async groups({ organizationId, environment, from, to }: FailureFilter): Promise<readonly FailureGroup[]> {
    const values = [organizationId ?? null, environment ?? null, from, to];
    return (await this.statements.run<FailureGroup>(GROUPS, values)).rows;
  }

  async chosen(selection: FailureSelection, limit: number): Promise<readonly ChosenFailure[]> {
    const { tenant, kind, subjectId, cause, from, to, after } = selection;
    if ([subjectId, after].some((id) => id !== null && !isCanonicalUuid(id))) return [];
    const values = [tenant.organizationId, tenant.environment, from, to, cause, subjectId, after, limit];
    return (await this.statements.run<ChosenFailure>(chosenOf(kind), values)).rows;
  }

  async causeOf(kind: FailureKind, { organizationId, environment }: Tenant, id: string): Promise<string | null> {
    const values = [organizationId, environment, '-infinity', 'infinity', id];
    return (await this.statements.run<{ readonly cause: string }>(causeOf(kind), values)).rows[0]?.cause ?? null;
  }
}
