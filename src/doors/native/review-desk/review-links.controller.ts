import { Controller, Param, Post } from '@nestjs/common';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import { ReviewLinks } from '../../../core/report/review-links.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { accessTo } from '../audit/native-access.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { DeskLinks, namedBy } from './desk-links.js';
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
    const report = await this.desk.reportFor(caller, id);
    const made = await this.links.make(caller, {
      ...namedBy(report, body.of),
      mode: body.mode,
      minutes: body.minutes,
      language: body.language ?? null,
      frameOrigin: body.frameOrigin ?? null,
      person: body.person,
    });
    const { woundRef: wound } = report.content.subject;
    await this.audit.recordNow(
      caller,
      accessTo('R', `DiagnosticReport/${report.id}`, { wound }, `review link ${body.mode} ${body.of}`),
    );
    // A link ends by the clock of its environment, though its row has real time.
    const { aheadMs } = await this.clock.timelineOf(caller);
    return jsonAnswer(201, this.desk.view({ ...made, expiresAt: new Date(made.expiresAt.getTime() + aheadMs) }));
  }
}
