import type { AnalysisJob } from '../../core/analysis/analysis-job.js';
import type { FailedJobFilter } from '../../core/analysis/failed-jobs.js';
import type { LaterJob } from '../../core/analysis/job.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** A job of the same photo ($3) that was made later. */
const LATER = (
  image: string,
  createdAt: string,
  id: string,
  which = 'true',
): string => `select other.id from analysis_jobs other
  where other.organization_id = $1 and other.environment = $2 and other.image_id = ${image} and ${which}
    and (other.created_at, other.id) > (${createdAt}, ${id}) order by other.created_at desc, other.id desc limit 1`;
const UNFAILED = "other.status <> 'error'";
const SINCE = ['$3::uuid', '$4::timestamptz', '$5::uuid'] as const;
const LATER_THAN: Readonly<Record<LaterJob, string>> = { unfailed: LATER(...SINCE, UNFAILED), any: LATER(...SINCE) };
const FAILED = `select job.id from analysis_jobs job
  where job.organization_id = $1 and job.environment = $2 and job.status = 'error' and job.error ->> 'code' <> 'job.cancelled'
    and ($3::text is null or job.error ->> 'code' = $3) and ($4::timestamptz is null or job.completed_at >= $4)
    and ($5::timestamptz is null or job.completed_at < $5) and not exists (${LATER('job.image_id', 'job.created_at', 'job.id', UNFAILED)})
  order by job.completed_at, job.id limit $6`;
const RETRIED_BY = `with recursive line as (
    select retry_of, 1 as depth from analysis_jobs where id = $1 and organization_id = $2 and environment = $3
    union all select job.retry_of, depth + 1 from line join analysis_jobs job on job.id = line.retry_of
      where job.organization_id = $2 and job.environment = $3)
  select retry_of as id from line where retry_of is not null order by depth`;

/** As JobRepository.listFailed. */
export async function listFailed(
  transaction: TenantTransaction,
  filter: FailedJobFilter,
  limit: number,
): Promise<string[]> {
  const { organizationId, environment } = transaction.tenant;
  const { rows } = await statementsOf(transaction).run<{ readonly id: string }>(FAILED, [
    organizationId,
    environment,
    filter.code ?? null,
    filter.failedSince ?? null,
    filter.failedBefore ?? null,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** As JobRepository.laterThan. */
export async function laterThan(
  transaction: TenantTransaction,
  job: AnalysisJob,
  which: LaterJob,
): Promise<string | null> {
  const { organizationId, environment } = transaction.tenant;
  const { rows } = await statementsOf(transaction).run<{ readonly id: string }>(LATER_THAN[which], [
    organizationId,
    environment,
    job.imageId,
    job.createdAt,
    job.id,
  ]);
  return rows[0]?.id ?? null;
}

/** As JobRepository.retriedBy. */
export async function retriedBy(transaction: TenantTransaction, jobId: string): Promise<string[]> {
  const { organizationId, environment } = transaction.tenant;
  if (!isCanonicalUuid(jobId)) return [];
  const { rows } = await statementsOf(transaction).run<{ readonly id: string }>(RETRIED_BY, [
    jobId,
    organizationId,
    environment,
  ]);
  return rows.map(({ id }) => id);
}
