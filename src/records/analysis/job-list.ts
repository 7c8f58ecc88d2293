import type { JobCursor, JobFilter } from '../../core/analysis/job.repository.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { pairIs } from './job-pairs.js';
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
  const behind = after === null ? null : ([parameter(after.createdAt), `${parameter(after.id)}::uuid`] as const);
  if (behind !== null) conditions.push(`(created_at, id) < (${behind.join(', ')})`);
  const [first, ...others] = Object.entries(filter.metadata ?? {});
  for (const pair of others)
    conditions.push(
      `exists (select from job_metadata other where other.job_id = id and ${pairIs('other', pair, parameter)})`,
    );
  if (first !== undefined) {
    // The page is read along the index of the pair, and each job by its id: no more rows than are looked at, however many jobs there are.
    const pairs = `select job_id, created_at as paired_at from job_metadata pair where ${pairIs('pair', first, parameter)}${
      behind === null ? '' : ` and (pair.created_at, pair.job_id) < (${behind.join(', ')})`
    } order by pair.created_at desc, pair.job_id desc`;
    const job = `select ${JOB_COLUMNS} from analysis_jobs where id = pairs.job_id and ${conditions.join(' and ')} offset 0`;
    const sql = `select job.* from (${pairs}) pairs cross join lateral (${job}) job order by pairs.paired_at desc, pairs.job_id desc limit ${parameter(limit)}`;
    return { sql, values };
  }
  const sql = `select ${JOB_COLUMNS} from analysis_jobs where ${conditions.join(' and ')} order by created_at desc, id desc limit ${parameter(limit)}`;
  return { sql, values };
}
