import { Injectable } from '@nestjs/common';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { RetentionPolicies, type RetentionPolicy, type RetentionRun } from '../../../core/erasure/retention-policy.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import type { RetentionChangeInput } from './retention.schema.js';

const MOST_RUNS = 100;

/** How long an organization keeps what, and what the newest sweeps removed. */
export interface RetentionView extends RetentionPolicy {
  readonly runs: readonly RetentionRunView[];
}

export interface RetentionRunView extends Omit<RetentionRun, 'before' | 'beganAt' | 'endedAt'> {
  readonly before: string;
  readonly beganAt: string;
  readonly endedAt: string;
}

/** Settings of retention for the admin API and the command line. Each act goes into the audit trail. Errors: `organization.not_found`. */
@Injectable()
export class RetentionOperations {
  constructor(
    private readonly policies: RetentionPolicies,
    private readonly tenancy: TenancyService,
    private readonly trail: OperatorTrail,
  ) {}

  async show(operator: Operator, organizationId: string): Promise<RetentionView> {
    await this.tenancy.findOrganization(organizationId);
    await this.record(operator, organizationId, 'R');
    const runs = await this.policies.runs(organizationId, MOST_RUNS);
    return {
      ...(await this.policies.find(organizationId)),
      runs: runs.map(({ before, beganAt, endedAt, ...run }) => ({
        ...run,
        before: before.toISOString(),
        beganAt: beganAt.toISOString(),
        endedAt: endedAt.toISOString(),
      })),
    };
  }

  async change(operator: Operator, organizationId: string, input: RetentionChangeInput): Promise<RetentionView> {
    await this.tenancy.findOrganization(organizationId);
    const change = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const query = Object.entries(change)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    await this.record(operator, organizationId, 'U', query);
    await this.policies.change(organizationId, change);
    return this.show(operator, organizationId);
  }

  private record(operator: Operator, organizationId: string, action: 'R' | 'U', query?: string): Promise<void> {
    return this.trail.record(operator, {
      interaction: '$retention',
      action,
      of: { organizationId },
      resources: [`Organization/${organizationId}`],
      query,
    });
  }
}
