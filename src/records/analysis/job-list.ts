import type { JobCursor, JobFilter } from '../../core/analysis/job.repository.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { JOB_COLUMNS } from './job-row.js';

interface JobListQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A page of a tenant's jobs, newest first, by keyset, so that later pages cost no more than the first. */
export function jobListQuery(tenant: Tenant, filter: JobFilter, limit: number, after: JobCursor | null): JobListQuery {
  const values: unknown[] = [tenant.organizationId, tenant.environment];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['organization_id = $1', 'environment = $2'];
  if (filter.status !== undefined) conditions.push(`status = ${parameter(filter.status)}`);
  if (filter.patientId !== undefined) conditions.push(`subject_patient_id = ${parameter(filter.patientId)}`);
  if (filter.woundId !== undefined) conditions.push(`subject_wound_id = ${parameter(filter.woundId)}`);
  if (filter.createdAfter !== undefined) conditions.push(`created_at > ${parameter(filter.createdAfter)}`);
  if (after !== null)
    conditions.push(`(created_at, id) < (${parameter(after.createdAt)}, ${parameter(after.id)}::uuid)`);
  const sql = `select ${JOB_COLUMNS} from analysis_jobs where ${conditions.join(' and ')} order by created_at desc, id desc limit ${parameter(limit)}`;
  return { sql, values };
}
