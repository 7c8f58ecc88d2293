import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { PublicRoute } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { JsonBody } from '../../../platform/http/zod.pipe.js';
import { IfMatch } from '../reports/representation.js';
import { DeskFormService } from './desk-form.service.js';
import { DeskReadingService } from './desk-reading.service.js';
import { DeskSessions, type DeskAccess } from './desk-sessions.js';
import {
  deskEventSchema,
  deskStandingSchema,
  deskWithdrawalSchema,
  type DeskEventBody,
  type DeskStandingBody,
  type DeskWithdrawalBody,
} from './desk-wound.schema.js';
import { DeskWoundService } from './desk-wound.service.js';

/** What the page of the desk asks and states of the wound beside its outline. Admitted as all that the page asks for. */
@ApiExcludeController()
@Controller('review/api/v1/:linkId/reports/:id')
export class DeskWoundController {
  constructor(
    private readonly sessions: DeskSessions,
    private readonly reading: DeskReadingService,
    private readonly forms: DeskFormService,
    private readonly wounds: DeskWoundService,
  ) {}

  @Get('form')
  @PublicRoute()
  async form(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Query('lang') language: unknown,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    // It has what was said at other visits, by whom and in which words: nothing for who only reads this report.
    return this.forms.form(await this.deciding(request, linkId, id), id, language);
  }

  @Post('events')
  @PublicRoute()
  @HttpCode(201)
  async record(
    @Param('linkId') linkId: string,
    @Param('id') reportId: string,
    @IfMatch() ifMatch: string | undefined,
    @JsonBody(deskEventSchema) body: DeskEventBody,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.wounds.record(await this.deciding(request, linkId, reportId), { reportId, ifMatch }, body);
  }

  @Post('events/:eventId/withdrawal')
  @PublicRoute()
  @HttpCode(200)
  async withdraw(
    @Param('linkId') linkId: string,
    @Param('id') reportId: string,
    @Param('eventId') eventId: string,
    @IfMatch() ifMatch: string | undefined,
    @JsonBody(deskWithdrawalSchema) body: DeskWithdrawalBody,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.wounds.withdraw(await this.deciding(request, linkId, reportId), { reportId, ifMatch }, eventId, body);
  }

  @Post('standing')
  @PublicRoute()
  @HttpCode(200)
  async setStanding(
    @Param('linkId') linkId: string,
    @Param('id') reportId: string,
    @IfMatch() ifMatch: string | undefined,
    @JsonBody(deskStandingSchema) body: DeskStandingBody,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.wounds.setStanding(await this.deciding(request, linkId, reportId), { reportId, ifMatch }, body);
  }

  private async deciding(request: FastifyRequest, linkId: string, reportId: string): Promise<DeskAccess> {
    const desk = await this.sessions.admit(request, linkId);
    await this.reading.requireNamed(desk, reportId);
    if (desk.link.mode !== 'review') throw new SuturaError('review.read_only');
    return desk;
  }
}
