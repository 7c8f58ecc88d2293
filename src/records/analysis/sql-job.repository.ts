import { Injectable } from '@nestjs/common';
import {
  MAX_ATTEMPTS,
  type AnalysisJob,
  type ClaimedJob,
  type JobError,
  type JobLease,
} from '../../core/analysis/analysis-job.js';
import { sandboxOutcome } from '../../core/analysis/sandbox-outcome.js';
import type { CardCorrections } from '../../core/calibration/calibration-card.js';
import type { PictureDigests, WoundResult } from '../../core/measurement/wound-result.js';
import {
  JobRepository,
  type JobBacklog,
  type JobCursor,
  type JobFilter,
  type JobSweep,
  type LaterJob,
} from '../../core/analysis/job.repository.js';
import type { FailedJobFilter } from '../../core/analysis/failed-jobs.js';
import type { TimeoutFigures } from '../../core/analysis/timeout-policy.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../../core/tenancy/tenant.js';
import {
  isCanonicalUuid,
  readTwice,
  SystemStatements,
  TenantStatements,
  toJsonb,
} from '../../platform/database/statements.js';
import { linkToAnalysis } from '../../platform/tracing/analysis-trace.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { SqlJobSweep } from './sql-job-sweep.js';
import {
  SqlOutbox,
  HANDLERS_COLUMN,
  eventInsertOf,
  type HandlerRow,
  type WrittenHandlersRow,
} from '../events/sql-outbox.js';
import { jobListQuery } from './job-list.js';
import { laterThan, listFailed, retriedBy } from './failed-jobs.js';
import {
  BACKLOG,
  CANCEL,
  COUNT_TIMEOUT,
  END_WITH_REPORT,
  ENDS,
  GIVE_BACK,
  HELD,
  INSERT,
  KEEP_DIGESTS,
  POSTPONE,
  READ,
  RELEASE,
} from './job-statements.js';
import { ofSameCapture } from './same-capture.js';
import { JOB_COLUMNS, toAnalysisJob, toPriorityNumber, type JobRow } from './job-row.js';

const DUE = `(not_before is null or not_before <= (select sutura_now()))`;
/** `(select sutura_now())`, because a volatile function on its own cannot bound an index scan. */
const CLAIMABLE = `(status = 'queued' and ${DUE}) or (status = 'processing' and lease_until < (select sutura_now()))`;
/** $2 to $5 address the event of the beginning. One statement, as for the end. */
const CLAIM = (chosen: string): string => `with claimed as (
    update analysis_jobs
      set status = 'processing', attempts = attempts + 1, lease_token = gen_random_uuid(),
          lease_until = sutura_now() + make_interval(secs => $1), started_at = coalesce(started_at, sutura_now())
      where ${chosen} returning *),
  told as (${eventInsertOf('analysis.started', { source: 'claimed', subject: 'id' }, ['$2', '$3', '$4', '$5'])})
  select ${JOB_COLUMNS}, exists (select from analysis_jobs other
      where other.status = 'queued' and other.attempts < ${MAX_ATTEMPTS} and ${DUE} and other.id <> claimed.id) as "othersWait",
    lease_token as token, timeouts > 0 as "hasTimedOut",
    (select jsonb_object_agg(size, bar_mm) from calibration_cards card
      where card.organization_id = claimed.organization_id and card.environment = claimed.environment) as "cardCorrections",
    (select result_policy from organizations where organizations.id = claimed.organization_id) as "resultPolicy",
    ${HANDLERS_COLUMN}
    from claimed`;
const CLAIM_ONE = CLAIM(`id = $6 and attempts < ${MAX_ATTEMPTS} and (${CLAIMABLE})`);
const CLAIM_NEXT = CLAIM(`id = coalesce(
    (select id from analysis_jobs where status = 'queued' and attempts < ${MAX_ATTEMPTS} and ${DUE}
      order by priority desc, created_at, id limit 1 for update skip locked),
    (select id from analysis_jobs where status = 'processing' and lease_until < (select sutura_now()) and attempts < ${MAX_ATTEMPTS}
      order by lease_until limit 1 for update skip locked))`);

const FIND = `select ${JOB_COLUMNS} from analysis_jobs where id = $1 and organization_id = $2 and environment = $3`;
const FIND_BY_REPORT = `select ${JOB_COLUMNS} from analysis_jobs where report_id = $1 and organization_id = $2 and environment = $3`;

interface ClaimedRow
  extends JobRow, WrittenHandlersRow, Pick<ClaimedJob, 'othersWait' | 'resultPolicy' | 'hasTimedOut'> {
  readonly token: string;
  readonly cardCorrections: CardCorrections | null;
}

type EndedRow = Pick<Tenant, 'organizationId' | 'environment'> & WrittenHandlersRow;

@Injectable()
export class SqlJobRepository extends JobRepository {
  constructor(
    private readonly tenantStatements: TenantStatements,
    private readonly systemStatements: SystemStatements,
    private readonly sweeper: SqlJobSweep,
    private readonly outbox: SqlOutbox,
  ) {
    super();
  }

  async insert(transaction: TenantTransaction, job: AnalysisJob): Promise<void> {
    const told = this.outbox.address('analysis.queued');
    const { rows } = await statementsOf(transaction).runPrepared<HandlerRow>(INSERT, [
      job.id,
      job.organizationId,
      job.environment,
      job.imageId,
      job.patientId,
      job.source,
      job.status,
      toPriorityNumber(job.priority),
      job.clinicalContext,
      toJsonb(job.subject),
      job.capturedAt,
      job.mmPerPixel,
      toJsonb(job.clinicianObservations),
      toJsonb(job.metadata),
      job.attempts,
      job.createdAt,
      job.reportId,
      job.retryOf ?? null,
      job.capturedAsStated ?? null,
      job.isCaptureOfPhoto ?? false,
      job.isCameraTimeUnused ?? false,
      job.sandbox ?? null,
      sandboxOutcome(job.environment, job.sandbox)?.delayS ?? 0,
      ...told.values,
    ]);
    linkToAnalysis(job.reportId);
    const handlers = rows.map(({ handler }) => handler);
    transaction.afterCommit(() => told.handOver(transaction.tenant, job.id, handlers));
  }

  async read(tenant: Tenant, jobId: string): Promise<AnalysisJob | null> {
    if (!isCanonicalUuid(jobId)) return null;
    const values = [tenant.organizationId, tenant.environment, jobId];
    const { rows } = await readTwice(() => this.tenantStatements.runPrepared<JobRow>(READ, values));
    return firstJob(rows);
  }

  find(transaction: TenantTransaction, jobId: string): Promise<AnalysisJob | null> {
    return this.one(transaction, FIND, jobId);
  }

  findForUpdate(transaction: TenantTransaction, jobId: string): Promise<AnalysisJob | null> {
    return this.one(transaction, `${FIND} for update`, jobId);
  }

  listFailed(transaction: TenantTransaction, filter: FailedJobFilter, limit: number): Promise<string[]> {
    return listFailed(transaction, filter, limit);
  }

  laterThan(transaction: TenantTransaction, job: AnalysisJob, which: LaterJob): Promise<string | null> {
    return laterThan(transaction, job, which);
  }

  ofSameCapture(transaction: TenantTransaction, sha256: string, capturedAt: Date): Promise<AnalysisJob[]> {
    return ofSameCapture(transaction, sha256, capturedAt);
  }

  retriedBy(transaction: TenantTransaction, jobId: string): Promise<string[]> {
    return retriedBy(transaction, jobId);
  }

  findByReport(transaction: TenantTransaction, reportId: string): Promise<AnalysisJob | null> {
    return this.one(transaction, FIND_BY_REPORT, reportId);
  }

  async list(
    transaction: TenantTransaction,
    filter: JobFilter,
    limit: number,
    after: JobCursor | null,
  ): Promise<AnalysisJob[]> {
    if (after !== null && !isCanonicalUuid(after.id)) return [];
    const { sql, values } = jobListQuery(transaction.tenant, filter, limit, after);
    const { rows } = await statementsOf(transaction).run<JobRow>(sql, values);
    return rows.map(toAnalysisJob);
  }

  async cancel(transaction: TenantTransaction, jobId: string, error: JobError): Promise<boolean> {
    const { tenant } = transaction;
    if (!isCanonicalUuid(jobId)) return false;
    const { rows } = await statementsOf(transaction).run(CANCEL, [
      jobId,
      tenant.organizationId,
      tenant.environment,
      toJsonb(error),
    ]);
    if (rows.length !== 1) return false;
    await this.outbox.append(transaction, { kind: 'analysis.failed', subjectId: jobId });
    return true;
  }

  async wasAnalysed(transaction: TenantTransaction, imageId: string): Promise<boolean> {
    return (await this.lastCapture(transaction, imageId)) !== null;
  }

  async lastCapture(
    transaction: TenantTransaction,
    imageId: string,
  ): Promise<Pick<AnalysisJob, 'capturedAt' | 'capturedAsStated' | 'isCaptureOfPhoto' | 'isCameraTimeUnused'> | null> {
    const { organizationId, environment } = transaction.tenant;
    if (!isCanonicalUuid(imageId)) return null;
    const select = `select captured_at as "capturedAt", captured_as_stated as "capturedAsStated",
        is_capture_of_photo as "isCaptureOfPhoto", is_camera_time_unused as "isCameraTimeUnused" from analysis_jobs
      where image_id = $1 and organization_id = $2 and environment = $3 and coalesce(error ->> 'code', '') <> 'job.cancelled'
      order by created_at desc, id desc limit 1`;
    const values = [imageId, organizationId, environment];
    const { rows } = await statementsOf(transaction).run<
      Pick<AnalysisJob, 'capturedAt' | 'capturedAsStated' | 'isCaptureOfPhoto' | 'isCameraTimeUnused'>
    >(select, values);
    return rows[0] ?? null;
  }

  async hasUnfinished(transaction: TenantTransaction, imageId: string): Promise<boolean> {
    const { tenant } = transaction;
    if (!isCanonicalUuid(imageId)) return false;
    const select = `select from analysis_jobs where image_id = $1 and organization_id = $2 and environment = $3
      and status in ('queued', 'processing') limit 1`;
    const { rows } = await statementsOf(transaction).run(select, [imageId, tenant.organizationId, tenant.environment]);
    return rows.length > 0;
  }

  async claim(leaseS: number, jobId?: string): Promise<ClaimedJob | null> {
    if (jobId !== undefined && !isCanonicalUuid(jobId)) return null;
    const told = this.outbox.address('analysis.started');
    const { rows } =
      jobId === undefined
        ? await this.systemStatements.runPrepared<ClaimedRow>(CLAIM_NEXT, [leaseS, ...told.values])
        : await this.systemStatements.runPrepared<ClaimedRow>(CLAIM_ONE, [leaseS, ...told.values, jobId]);
    if (rows[0] === undefined) return null;
    const { token, told: handlers, othersWait, cardCorrections, resultPolicy, hasTimedOut, ...row } = rows[0];
    const job = toAnalysisJob(row);
    told.handOver(tenantOf(job), job.id, handlers);
    const lease = { jobId: job.id, token };
    return { lease, job, cardCorrections: cardCorrections ?? {}, resultPolicy, hasTimedOut, othersWait };
  }

  async renew(lease: JobLease, leaseS: number): Promise<boolean> {
    const update = `update analysis_jobs set lease_until = sutura_now() + make_interval(secs => $3) where ${HELD}`;
    const { affected } = await this.systemStatements.run(update, [lease.jobId, lease.token, leaseS]);
    return affected === 1;
  }

  async release(lease: JobLease, { counted, afterS } = { counted: true, afterS: 0 }): Promise<boolean> {
    const { affected } = await this.systemStatements.run(RELEASE, [lease.jobId, lease.token, afterS, counted ? 0 : 1]);
    return affected === 1;
  }

  async countTimeout(lease: JobLease): Promise<TimeoutFigures | null> {
    const { rows } = await this.systemStatements.run<TimeoutFigures>(COUNT_TIMEOUT, [lease.jobId, lease.token]);
    return rows[0] ?? null;
  }

  async postpone(lease: JobLease, delayS: number): Promise<boolean> {
    const { affected } = await this.systemStatements.run(POSTPONE, [lease.jobId, lease.token, delayS]);
    return affected === 1;
  }

  async giveBackAttempt(jobId: string): Promise<void> {
    await this.systemStatements.run(GIVE_BACK, [jobId]);
  }

  complete(lease: JobLease, result: WoundResult, pictures: PictureDigests = {}): Promise<boolean> {
    return this.end('analysis.completed', lease, result, [pictures]);
  }

  async completeWithReport(
    transaction: TenantTransaction,
    { jobId, token }: JobLease,
    result: WoundResult,
    pictures: PictureDigests = {},
  ): Promise<boolean> {
    const values = [jobId, token, toJsonb(result), toJsonb(pictures)];
    const { rows } = await statementsOf(transaction).runPrepared(END_WITH_REPORT, values);
    return rows.length === 1;
  }

  async keepDigests(transaction: TenantTransaction, jobId: string, pictures: PictureDigests): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(KEEP_DIGESTS, [jobId, organizationId, environment, toJsonb(pictures)]);
  }

  fail(lease: JobLease, error: JobError): Promise<boolean> {
    return this.end('analysis.failed', lease, error);
  }

  sweep(olderThanS: number, maxAttempts: number, abandoned: JobError): Promise<JobSweep> {
    return this.sweeper.sweep(olderThanS, maxAttempts, abandoned);
  }

  async backlog(): Promise<JobBacklog> {
    const { rows } = await this.systemStatements.run<JobBacklog>(BACKLOG);
    return rows[0] ?? { queued: 0, processing: 0, oldestUnfinishedS: 0 };
  }

  private async one(transaction: TenantTransaction, select: string, id: string): Promise<AnalysisJob | null> {
    const { organizationId, environment } = transaction.tenant;
    if (!isCanonicalUuid(id)) return null;
    const { rows } = await statementsOf(transaction).run<JobRow>(select, [id, organizationId, environment]);
    return firstJob(rows);
  }

  private async end(
    kind: keyof typeof ENDS,
    { jobId, token }: JobLease,
    outcome: WoundResult | JobError,
    pictures: readonly PictureDigests[] = [],
  ): Promise<boolean> {
    const told = this.outbox.address(kind);
    const { rows } = await this.systemStatements.run<EndedRow>(ENDS[kind], [
      jobId,
      token,
      toJsonb(outcome),
      ...told.values,
      ...pictures.map(toJsonb),
    ]);
    const ended = rows[0];
    if (ended === undefined) return false;
    told.handOver(tenantOf(ended), jobId, ended.told);
    return true;
  }
}

function firstJob(rows: readonly JobRow[]): AnalysisJob | null {
  const row = rows[0];
  return row === undefined ? null : toAnalysisJob(row);
}
