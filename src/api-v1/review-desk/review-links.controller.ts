import { Controller, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AuditTrail } from '../../core/audit/audit-trail.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { ReportReader } from '../../core/report/report-reader.js';
import { ReviewLinks } from '../../core/report/review-links.js';
import type { Caller } from '../../core/tenancy/api-key.js';
import { CurrentCaller, RequiresScope } from '../../identity/index.js';
import { Settings } from '../../platform/config/settings.js';
import { jsonAnswer, sendAnswer } from '../../platform/http/http-answer.js';
import { NeverPacked } from '../../platform/http/packed-answers.js';
import { PublicAddress } from '../../platform/http/public-address.js';
import { JsonBody } from '../../platform/http/zod.pipe.js';
import { accessTo } from '../audit/native-access.js';
import { ApiRoute } from '../route/api-route.decorator.js';
import { reviewLinkRequestSchema, type ReviewLinkRequest } from './review-link.schema.js';
import { CREATE_REVIEW_LINK } from './review-links.routes.js';

/** Links to the review desk, for record systems. */
@Controller('api/v1/reports')
export class ReviewLinksController {
  constructor(
    private readonly links: ReviewLinks,
    private readonly reader: ReportReader,
    private readonly audit: AuditTrail,
    private readonly address: PublicAddress,
    private readonly settings: Settings,
  ) {}

  /** The secret stands behind `#`, which no browser sends: it comes into no log, and fetching the address opens nothing. */
  @Post(':id/review-links')
  @NeverPacked()
  @ApiRoute(CREATE_REVIEW_LINK)
  @RequiresScope('analysis:read')
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(reviewLinkRequestSchema) body: ReviewLinkRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!this.settings.console.isOn)
      throw new SuturaError('route.not_found', { detail: 'The pages are switched off (SUTURA_CONSOLE).' });
    const { report } = await this.reader.read(caller, id);
    const { woundRef } = report.content.subject;
    const made = await this.links.make(caller, {
      mode: body.mode,
      subject: body.of,
      subjectId: body.of === 'report' ? report.id : woundRef,
      reportId: report.id,
      minutes: body.minutes,
      language: body.language ?? null,
      frameOrigin: body.frameOrigin ?? null,
    });
    await this.audit.recordNow(
      caller,
      accessTo('R', `DiagnosticReport/${report.id}`, { wound: woundRef }, `review link ${body.mode} ${body.of}`),
    );
    const url = `${this.address.url}/review/${made.id}#${made.secret}`;
    sendAnswer(reply, jsonAnswer(201, { id: made.id, url, expiresAt: made.expiresAt.toISOString() }));
  }
}
