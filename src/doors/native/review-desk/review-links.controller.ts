import { Controller, Param, Post } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { ReviewLinks } from '../../../core/report/review-links.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { accessTo } from '../audit/native-access.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { DeskLinks, listedBy, namedBy } from './desk-links.js';
import { reviewLinkRequestSchema, type ReviewLinkRequest } from './review-link.schema.js';
import { CREATE_REVIEW_LINK } from './review-links.routes.js';

/** Links to the review desk, for record systems. */
@Controller('api/v1/reports')
export class ReviewLinksController {
  constructor(
    private readonly links: ReviewLinks,
    private readonly desk: DeskLinks,
    private readonly audit: AuditTrail,
    private readonly clock: ClinicalClock,
  ) {}

  @Post(':id/review-links')
  @NeverPacked()
  @ApiRoute(CREATE_REVIEW_LINK)
  @RequiresScope('analysis:read')
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(reviewLinkRequestSchema) body: ReviewLinkRequest,
  ): Promise<HttpAnswer> {
    const reports: ClinicalReport[] = [];
    for (const one of new Set([id, ...(body.reports ?? [])])) reports.push(await this.desk.reportFor(caller, one));
    const made = await this.links.make(caller, {
      ...(body.of === 'list' ? listedBy(reports) : namedBy(reports[0]!, body.of)),
      mode: body.mode,
      minutes: body.minutes,
      language: body.language ?? null,
      frameOrigin: body.frameOrigin ?? null,
      person: body.person,
    });
    for (const { id: reportId, content } of reports)
      await this.audit.recordNow(
        caller,
        accessTo(
          'R',
          `DiagnosticReport/${reportId}`,
          { wound: content.subject.woundRef },
          `review link ${body.mode} ${body.of}`,
        ),
      );
    // A link ends by the clock of its environment, though its row has real time.
    const { aheadMs } = await this.clock.timelineOf(caller);
    return jsonAnswer(201, this.desk.view({ ...made, expiresAt: new Date(made.expiresAt.getTime() + aheadMs) }));
  }
}
