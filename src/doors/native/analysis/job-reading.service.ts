import { Injectable } from '@nestjs/common';
import { isTerminal } from '../../../core/analysis/analysis-job.js';
import { AnalysisService } from '../../../core/analysis/analysis.service.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { Clock } from '../../../core/ports/clock.js';
import { remainingOf } from '../../../core/tenancy/quota-usage.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { conditional } from '../../../platform/http/entity-tag.js';
import { jsonAnswer, type HttpAnswer, rateLimitHeaders } from '../../../platform/http/http-answer.js';
import { preferredWaitS } from '../../../platform/http/preferred-wait.js';
import { accessTo, listingOf } from '../audit/native-access.js';
import { readPage } from '../paging/page.js';
import { toJobFilter, type JobQuery } from './job-query.schema.js';
import { toJobView } from './job-view.mapper.js';
import { JobWaiter } from './job-waiter.js';
import type { ReadConditions } from '../route/read-conditions.js';

const NEXT_POLL_AFTER_S = 1;

/** Jobs and the quota as HTTP answers. */
@Injectable()
export class JobReadingService {
  constructor(
    private readonly analysis: AnalysisService,
    private readonly waiter: JobWaiter,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly address: PublicAddress,
  ) {}

  /** One job; held back with `Prefer: wait`, empty with a fitting `If-None-Match`. */
  async read(caller: Caller, jobId: string, conditions: ReadConditions): Promise<HttpAnswer> {
    const waitS = preferredWaitS(conditions.prefer);
    const job =
      waitS === null
        ? await this.analysis.get(caller, jobId)
        : await this.waiter.read(caller, jobId, waitS * 1000, conditions.gone);
    await this.audit.recordNow(caller, accessTo('R', `Task/${job.id}`, { patients: [job.patientId] }));
    const answer = jsonAnswer(200, toJobView(job, this.address.url), {
      ...(isTerminal(job.status) ? {} : { 'retry-after': String(NEXT_POLL_AFTER_S) }),
      ...(waitS === null ? {} : { 'preference-applied': `wait=${waitS}` }),
    });
    return conditional(answer, conditions.ifNoneMatch);
  }

  async list(caller: Caller, query: JobQuery): Promise<HttpAnswer> {
    const { items, nextCursor } = await readPage(query, (limit, after) =>
      this.analysis.list(caller, toJobFilter(query), limit, after),
    );
    await this.audit.recordNow(
      caller,
      listingOf(
        'Task',
        items.map(({ patientId }) => patientId),
        query,
      ),
    );
    return jsonAnswer(200, { items: items.map((job) => toJobView(job, this.address.url)), nextCursor });
  }

  async usage(caller: Caller): Promise<HttpAnswer> {
    const usage = await this.analysis.usage(caller);
    const resetsAt = new Date(this.clock.now().getTime() + usage.resetsInS * 1000);
    // To the minute: the reset stands on one, and the clocks of this process and of the database differ by less.
    resetsAt.setTime(Math.round(resetsAt.getTime() / 60_000) * 60_000);
    const view = {
      limit: usage.limit,
      used: usage.used,
      remaining: remainingOf(usage),
      resetsAt: resetsAt.toISOString(),
    };
    return jsonAnswer(200, view, rateLimitHeaders(usage));
  }
}
