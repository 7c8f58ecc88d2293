import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReviewDrafts } from '../../../core/report/review-drafts.js';
import { PublicRoute } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { JsonBody, QueryInput } from '../../../platform/http/zod.pipe.js';
import { LANGUAGES } from '../../../reports/index.js';
import { ReportReviewService } from '../reports/report-review.service.js';
import { reviewRequestSchema, type ReviewRequestBody } from '../reports/report.schema.js';
import { IfMatch } from '../reports/representation.js';
import { decidedDraftSchema, type DecidedDraft } from './desk-draft.schema.js';
import { DeskReviewService } from './desk-review.service.js';
import { DeskReadingService } from './desk-reading.service.js';
import { DeskSessions } from './desk-sessions.js';
import type { DeskLastingView } from './desk.views.js';
import { signedBy } from './desk-wound.service.js';
import { reviewOpeningSchema } from './review-link.schema.js';

/** What the page of the review desk asks for. Each request is admitted by the cookie of its link; changes need its CSRF token. */
@ApiExcludeController()
@Controller('review/api/v1/:linkId')
export class ReviewDeskController {
  constructor(
    private readonly sessions: DeskSessions,
    private readonly reading: DeskReadingService,
    private readonly reviewing: ReportReviewService,
    private readonly deskReviews: DeskReviewService,
    private readonly drafts: ReviewDrafts,
  ) {}

  @Post('session')
  @PublicRoute()
  @NeverPacked()
  async open(
    @Param('linkId') linkId: string,
    @JsonBody(reviewOpeningSchema) { link }: { readonly link: string },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HttpAnswer> {
    const desk = await this.sessions.open(request, reply, linkId, link);
    return this.reading.overview(desk, 201, request.headers['accept-language']);
  }

  /** `?used=true`: somebody is at the page; it is answered until when the desk lasts, and nothing of the patient. */
  @Get('session')
  @PublicRoute()
  @NeverPacked()
  async overview(
    @Param('linkId') linkId: string,
    @Query('used') used: unknown,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    const isUse = used === 'true';
    const desk = await this.sessions.admit(request, linkId, 'person', isUse);
    if (isUse) return jsonAnswer(200, { expiresAt: desk.link.expiresAt.toISOString() } satisfies DeskLastingView);
    return this.reading.overview(desk, 200, request.headers['accept-language']);
  }

  @Delete('session')
  @PublicRoute()
  @HttpCode(204)
  async end(
    @Param('linkId') linkId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.end(request, reply, await this.sessions.admit(request, linkId));
  }

  @Get('reports/:id')
  @PublicRoute()
  async report(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.reading.report(await this.sessions.admit(request, linkId), id);
  }

  @Get('reports/:id/banner')
  @PublicRoute()
  async banner(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Query('language') wished: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    const desk = await this.sessions.admit(request, linkId);
    return this.reading.banner(desk, id, LANGUAGES.find((language) => language === wished) ?? 'en');
  }

  @Get('reports/:id/course')
  @PublicRoute()
  async course(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Query('lang') language: unknown,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.reading.course(await this.sessions.admit(request, linkId), id, language);
  }

  @Get('reports/:id/:picture')
  @PublicRoute()
  async photo(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Param('picture') picture: string,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    const desk = await this.sessions.admit(request, linkId);
    if (picture !== 'photo' && picture !== 'tissue') throw new SuturaError('route.not_found');
    return this.reading.photo(desk, id, picture === 'tissue');
  }

  /** As POST /api/v1/reports/{id}/reviews, by the same service; a reassignment answers without the report of the other wound. Ends the drafts that it was made of. */
  @Post('reports/:id/reviews')
  @PublicRoute()
  async review(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @IfMatch() ifMatch: string | undefined,
    @QueryInput(decidedDraftSchema) { draft: revisions }: DecidedDraft,
    @JsonBody(reviewRequestSchema) body: ReviewRequestBody,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    const desk = await this.sessions.admit(request, linkId);
    await this.reading.requireNamed(desk, id);
    if (desk.link.mode !== 'review') throw new SuturaError('review.read_only');
    const decided = { ...body, reviewer: signedBy(desk.link, body.reviewer) };
    const endDraft = (transaction: TenantTransaction) => this.drafts.endDecided(transaction, desk.link, id, revisions);
    return decided.decision === 'reassign'
      ? this.deskReviews.reassign(desk.caller, id, ifMatch, decided, endDraft)
      : this.reviewing.review(desk.caller, id, ifMatch, decided, null, endDraft);
  }
}
