import { Controller, Delete, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ReviewDrafts } from '../../../core/report/review-drafts.js';
import { PublicRoute } from '../../../identity/index.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import {
  discardedDraftSchema,
  draftSchema,
  presenceSchema,
  type DraftBody,
  type PresenceBody,
} from './desk-draft.schema.js';
import { DeskDraftsService } from './desk-drafts.service.js';
import { DeskSessions, type DeskAccess } from './desk-sessions.js';

/** What the page of the desk keeps by itself: the draft of its person, and that it is open. Admitted as all that the page asks for. */
@ApiExcludeController()
@Controller('review/api/v1/:linkId/reports/:id')
export class DeskDraftsController {
  constructor(
    private readonly sessions: DeskSessions,
    private readonly desk: DeskDraftsService,
    private readonly drafts: ReviewDrafts,
  ) {}

  @Get('draft')
  @PublicRoute()
  async read(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.desk.read(await this.admit(request, linkId, id), id);
  }

  @Put('draft')
  @PublicRoute()
  async keep(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @JsonBody(draftSchema) draft: DraftBody,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.desk.keep(await this.admit(request, linkId, id), id, draft);
  }

  /** `review.draft_changed` where another revision stands than those that the page knows. */
  @Delete('draft')
  @PublicRoute()
  @HttpCode(204)
  async discard(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @JsonBody(discardedDraftSchema) { revisions }: { readonly revisions: readonly string[] },
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.drafts.discard((await this.admit(request, linkId, id)).link, id, revisions);
  }

  @Post('presence')
  @PublicRoute()
  async presence(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @JsonBody(presenceSchema) page: PresenceBody,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    // An open page tells of itself, whether or not anybody looks at it.
    const desk = await this.admit(request, linkId, id, false);
    if (!page.isLeaving) return this.desk.noteOpen(desk, id, page);
    await this.drafts.leave(desk.link, id, page.tabId);
    return jsonAnswer(200, {});
  }

  private async admit(request: FastifyRequest, linkId: string, reportId: string, isUse = true): Promise<DeskAccess> {
    const desk = await this.sessions.admit(request, linkId, 'page', isUse);
    await this.desk.requireNamed(desk, reportId);
    return desk;
  }
}
