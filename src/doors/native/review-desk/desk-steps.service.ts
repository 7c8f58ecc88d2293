import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import { ReportReviewing } from '../../../core/report/report-reviewing.js';
import { ReviewDrafts } from '../../../core/report/review-drafts.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { versionOfTag } from '../reports/report-tag.js';
import { reportPath } from '../route/paths.js';
import type { DeskAccess } from './desk-sessions.js';
import type { DecidedView } from './desk.views.js';

/** The report on the screen, and its entity tag there. */
export interface ShownReport {
  readonly reportId: string;
  readonly ifMatch: string | undefined;
}

/** It, and the wound whose series it stands in; locked. */
export type ShownSeries = Awaited<ReturnType<ReportReviewing['requireShown']>>;

/** Steps of a person at the desk that are no decision about the report: each once, bound to the version on the screen. */
@Injectable()
export class DeskSteps {
  constructor(
    private readonly reviewing: ReportReviewing,
    private readonly reader: ReportReader,
    private readonly drafts: ReviewDrafts,
    private readonly requests: IdempotentRequests,
  ) {}

  /**
   * Answers the version that stands then: what is recorded may change what the report compares. The step ends in the draft that it was begun in.
   * `report.stale`, `idempotency.mismatch`.
   */
  once(
    { link, caller }: DeskAccess,
    { reportId, ifMatch }: ShownReport,
    { path, body }: { readonly path: string; readonly body: { readonly requestId: string } },
    status: number,
    work: (transaction: TenantTransaction, shown: ShownSeries) => Promise<void>,
  ): Promise<HttpAnswer> {
    const version = versionOfTag(ifMatch);
    const route = `POST ${reportPath(reportId)}/${path} at the desk`;
    const request = { route, key: body.requestId, body: { version, body } };
    return this.requests.run(caller, request, async (transaction) => {
      await work(transaction, await this.reviewing.requireShown(transaction, reportId, version));
      await this.drafts.endStep(transaction, link, reportId, body.requestId);
      const reading = await this.reader.readIn(transaction, reportId);
      if (reading === null) throw new SuturaError('report.not_found');
      return jsonAnswer(status, { version: reading.report.version } satisfies DecidedView);
    });
  }
}
