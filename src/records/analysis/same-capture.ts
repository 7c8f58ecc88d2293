import type { AnalysisJob } from '../../core/analysis/analysis-job.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { JOB_COLUMNS, toAnalysisJob, type JobRow } from './job-row.js';

/** Until the transaction ends. */
const LOCK_BYTES = `select pg_advisory_xact_lock(hashtextextended('photo ' || $1::text || ' ' || $2::text || ' ' || $3::text, 0))`;
const OF_SAME_CAPTURE = `select ${JOB_COLUMNS} from analysis_jobs job
  where job.organization_id = $1 and job.environment = $2 and job.captured_at = $4
    and job.image_id in (select image.id from images image where image.sha256 = $3 and image.status = 'stored'
      and image.organization_id = $1 and image.environment = $2)
  order by job.created_at, job.id`;

/** As JobRepository.ofSameCapture. */
export async function ofSameCapture(
  transaction: TenantTransaction,
  sha256: string,
  capturedAt: Date,
): Promise<AnalysisJob[]> {
  const { organizationId, environment } = transaction.tenant;
  const statements = statementsOf(transaction);
  // Both leave together, and are carried out one after the other: the second sees what was committed while the first waited.
  const locked = statements.runPrepared(LOCK_BYTES, [organizationId, environment, sha256]);
  const values = [organizationId, environment, sha256, capturedAt];
  const [, { rows }] = await Promise.all([locked, statements.runPrepared<JobRow>(OF_SAME_CAPTURE, values)]);
  return rows.map(toAnalysisJob);
}
