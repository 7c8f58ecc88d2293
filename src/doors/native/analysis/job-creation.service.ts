import { Injectable } from '@nestjs/common';
import { AnalysisService } from '../../../core/analysis/analysis.service.js';
import { SANDBOX_POINTER } from '../../../core/analysis/sandbox-outcome.js';
import type { JobRequest } from '../../../core/analysis/analysis-job.js';
import { SandboxConflicts } from '../../../core/held/sandbox-conflicts.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { AuthorityDirectory } from '../../../core/patients/authority-table.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { QuotaUsage } from '../../../core/tenancy/quota-usage.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { failpoint } from '../../../platform/failpoints.js';
import { jsonAnswer, type HttpAnswer, rateLimitHeaders } from '../../../platform/http/http-answer.js';
import { accessTo } from '../audit/native-access.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { toJobRequest } from './job-request.mapper.js';
import type { JobRequestBody } from './job-request.schema.js';
import { toJobView } from './job-view.mapper.js';
import { jobPath, seenPath } from '../route/paths.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';

const CREATE_JOB_ROUTE = 'POST /api/v1/analysis/jobs';
const FIRST_POLL_AFTER_S = 1;

/** Creates jobs: the charge, the job, its event and the answer to repeat stand in one transaction. */
@Injectable()
export class JobCreationService {
  constructor(
    private readonly analysis: AnalysisService,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
    private readonly authorities: AuthorityDirectory,
    private readonly conflicts: SandboxConflicts,
  ) {}

  async create(caller: Caller, body: JobRequestBody, key: string | null): Promise<HttpAnswer> {
    await this.analysis.prepare(caller, body.imageId);
    let charged: QuotaUsage | null = null;
    const request = { route: CREATE_JOB_ROUTE, key, body: key === null ? body : await this.byContent(caller, body) };
    const numbering = (await this.authorities.of(caller)).defaultFor({ door: 'rest' });
    const create = (asked: JobRequest) =>
      this.requests.run(caller, request, async (transaction) => {
        const created = await this.createJob(transaction, caller, asked);
        charged = created.quota;
        await failpoint('before_commit_create');
        return created.answer;
      });
    const answer = await this.conflicts
      .orHold(caller, toJobRequest(body, numbering), create, key === null ? null : `${key} ${request.body.imageId}`)
      .catch((fault: unknown) => Promise.reject(atField(fault)));
    await failpoint('after_commit_create');
    // The present quota, also for a repeat.
    return {
      ...answer,
      headers: { ...answer.headers, ...rateLimitHeaders(charged ?? (await this.analysis.usage(caller))) },
    };
  }

  /** The request by the bytes of its photo: who repeats the whole flow under one key has uploaded them once more, as another image. */
  private async byContent(caller: Caller, body: JobRequestBody): Promise<JobRequestBody> {
    const sha256 = await this.analysis.photoDigest(caller, body.imageId);
    return sha256 === null ? body : { ...body, imageId: sha256 };
  }

  private async createJob(
    transaction: TenantTransaction,
    caller: Caller,
    asked: JobRequest,
  ): Promise<{ answer: HttpAnswer; quota: QuotaUsage }> {
    const { job, quota, isRepeat } = await this.analysis.create(transaction, asked);
    await this.conflicts.filed(transaction, asked, job.patientId);
    await this.audit.record(
      transaction,
      caller,
      accessTo(isRepeat ? 'R' : 'C', `Task/${job.id}`, { patients: [job.patientId] }),
    );
    const headers = {
      location: seenPath(this.address.url, jobPath(job.id)),
      'retry-after': String(FIRST_POLL_AFTER_S),
      ...(isRepeat ? { 'idempotency-replayed': 'true' } : {}),
    };
    return { answer: jsonAnswer(201, toJobView(job, this.address.url), headers), quota };
  }
}

/** The field that core's refusal of a job is about. */
const FIELDS: Partial<Readonly<Record<ErrorCode, string>>> = {
  'calibration.implausible': '/calibration/mmPerPixel',
  'capture.future': '/capturedAt',
  'subject.mismatch': '/subject/patientId',
  'region.outside_photo': '/subject/region',
  'sandbox.live': SANDBOX_POINTER,
};

/** The refusal with the pointer to its field, where it is about one. */
export function atField(fault: unknown): unknown {
  const pointer = fault instanceof SuturaError ? FIELDS[fault.code] : undefined;
  if (pointer === undefined) return fault;
  const { code, detail, facts } = fault as SuturaError;
  return new SuturaError(code, { ...facts, detail, errors: [{ pointer, detail }] });
}
