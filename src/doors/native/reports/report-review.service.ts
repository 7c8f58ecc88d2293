import { Injectable } from '@nestjs/common';
import { withoutEmptyLists } from '../../../core/analysis/clinician-observations.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import { ReportReviewing } from '../../../core/report/report-reviewing.js';
import type { ReviewRequest } from '../../../core/report/review.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { accessTo } from '../audit/native-access.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { ReportReadingService } from './report-reading.service.js';
import { versionOfTag } from './report-tag.js';
import { reportPath, seenPath } from '../route/paths.js';
import type { ReviewRequestBody } from './report.schema.js';

/** Takes reviews: the decision, the versions that follow from it and the answer to repeat stand in one transaction. */
@Injectable()
export class ReportReviewService {
  constructor(
    private readonly reviewing: ReportReviewing,
    private readonly reader: ReportReader,
    private readonly reading: ReportReadingService,
    private readonly requests: IdempotentRequests,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
  ) {}

  /** `alsoDo`: what ends with the decision, in its transaction. */
  async review(
    caller: Caller,
    reportId: string,
    ifMatch: string | undefined,
    body: ReviewRequestBody,
    key: string | null,
    alsoDo: (transaction: TenantTransaction) => Promise<void> = nothingMore,
  ): Promise<HttpAnswer> {
    const expectedVersion = versionOfTag(ifMatch);
    // Makes the report where its job has only just been completed.
    await this.reader.read(caller, reportId);
    const route = `POST ${reportPath(reportId)}/reviews`;
    return this.requests.run(caller, { route, key, body: { expectedVersion, body } }, async (transaction) => {
      const report = await this.reviewing.review(transaction, reportId, expectedVersion, toReviewRequest(caller, body));
      const reading = await this.reader.readIn(transaction, report.id);
      if (reading === null) throw new SuturaError('report.not_found');
      await this.audit.record(
        transaction,
        caller,
        accessTo('U', `DiagnosticReport/${report.id}`, { wound: report.content.subject.woundRef }, body.decision),
      );
      await alsoDo(transaction);
      // The answer is kept for a repeat of the request, where no name should lie.
      const answer = this.reading.jsonOf({ ...reading, heading: null }, 201);
      const location = seenPath(this.address.url, reportPath(report.id));
      return { ...answer, headers: { ...answer.headers, location } };
    });
  }
}

const nothingMore = (): Promise<void> => Promise.resolve();

function toReviewRequest({ person }: Caller, { contour, observations, ...rest }: ReviewRequestBody): ReviewRequest {
  const stated = observations === undefined ? {} : { observations: withoutEmptyLists(observations) };
  const said = { ...rest, ...stated, enteredBy: person };
  if (contour === undefined) return said;
  const polygons = contour.type === 'Polygon' ? [contour.coordinates] : contour.coordinates;
  return { ...said, contour: polygons.map((coordinates) => ({ type: 'Polygon', coordinates })) };
}
