import { Injectable } from '@nestjs/common';
import { OrganizationRepository, type OrganizationChange } from '../../core/organizations/organization.repository.js';
import type { Transaction } from '../../core/ports/unit-of-work.js';
import type { Organization } from '../../core/organizations/organization.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const SELECT = `select id, name, plan, daily_limit_override as "dailyLimitOverride", result_policy as "resultPolicy",
    auto_analyze as "autoAnalyze", unserved_types as "unservedTypes", image_hosts as "imageHosts", review_frame_origins as "reviewFrameOrigins",
    browser_origins as "browserOrigins", delivery_networks as "deliveryNetworks", time_zone as "timeZone", unmatched_after_minutes as "unmatchedAfterMinutes", created_at as "createdAt"
  from organizations`;
const COLUMNS: Readonly<Record<keyof OrganizationChange, string>> = {
  name: 'name',
  plan: 'plan',
  dailyLimitOverride: 'daily_limit_override',
  resultPolicy: 'result_policy',
  autoAnalyze: 'auto_analyze',
  unservedTypes: 'unserved_types',
  imageHosts: 'image_hosts',
  reviewFrameOrigins: 'review_frame_origins',
  browserOrigins: 'browser_origins',
  deliveryNetworks: 'delivery_networks',
  timeZone: 'time_zone',
  unmatchedAfterMinutes: 'unmatched_after_minutes',
};

@Injectable()
export class SqlOrganizationRepository extends OrganizationRepository {
  async insert(transaction: Transaction, organization: Organization): Promise<void> {
    const insert = `insert into organizations (id, name, plan, daily_limit_override, result_policy, auto_analyze, unserved_types, image_hosts, review_frame_origins, browser_origins, delivery_networks, time_zone, unmatched_after_minutes, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
    const { id, name, plan, dailyLimitOverride, resultPolicy, autoAnalyze, unservedTypes } = organization;
    await statementsOf(transaction).run(insert, [
      id,
      name,
      plan,
      dailyLimitOverride,
      resultPolicy,
      autoAnalyze,
      unservedTypes,
      organization.imageHosts,
      organization.reviewFrameOrigins,
      organization.browserOrigins,
      organization.deliveryNetworks,
      organization.timeZone,
      organization.unmatchedAfterMinutes,
      organization.createdAt,
    ]);
  }

  async list(transaction: Transaction): Promise<Organization[]> {
    return (await statementsOf(transaction).run<Organization>(`${SELECT} order by created_at, id`)).rows;
  }

  async listBrowserOrigins(transaction: Transaction): Promise<Pick<Organization, 'id' | 'browserOrigins'>[]> {
    const sql = `select id, browser_origins as "browserOrigins" from organizations where browser_origins <> '{}'`;
    return (await statementsOf(transaction).runPrepared<Pick<Organization, 'id' | 'browserOrigins'>>(sql, [])).rows;
  }

  find(transaction: Transaction, organizationId: string): Promise<Organization | null> {
    return this.select(transaction, `${SELECT} where id = $1`, organizationId);
  }

  findForUpdate(transaction: Transaction, organizationId: string): Promise<Organization | null> {
    return this.select(transaction, `${SELECT} where id = $1 for update`, organizationId);
  }

  async update(transaction: Transaction, organizationId: string, change: OrganizationChange): Promise<void> {
    const values: unknown[] = [organizationId];
    const assignments = (Object.keys(COLUMNS) as (keyof OrganizationChange)[])
      .filter((field) => change[field] !== undefined)
      .map((field) => `${COLUMNS[field]} = $${values.push(change[field])}`);
    if (assignments.length === 0 || !isCanonicalUuid(organizationId)) return;
    await statementsOf(transaction).run(`update organizations set ${assignments.join(', ')} where id = $1`, values);
  }

  private async select(transaction: Transaction, sql: string, organizationId: string): Promise<Organization | null> {
    if (!isCanonicalUuid(organizationId)) return null;
    return (await statementsOf(transaction).runPrepared<Organization>(sql, [organizationId])).rows[0] ?? null;
  }
}
