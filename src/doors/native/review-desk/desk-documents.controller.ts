import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PublicRoute } from '../../../identity/index.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { ApiExcludeController } from '../../../platform/http/openapi.decorators.js';
import { chooseLanguage, type Language } from '../../../reports/index.js';
import { ReportReadingService } from '../reports/report-reading.service.js';
import { DeskReadingService } from './desk-reading.service.js';
import { DeskSessions } from './desk-sessions.js';

/** The printed report of each version, what the versions are, and the curve, for the page of the review desk. Read alone. */
@ApiExcludeController()
@Controller('review/api/v1/:linkId/reports/:id')
export class DeskDocumentsController {
  constructor(
    private readonly sessions: DeskSessions,
    private readonly reading: DeskReadingService,
    private readonly reports: ReportReadingService,
  ) {}

  @Get('versions')
  @PublicRoute()
  async versions(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    const desk = await this.sessions.admit(request, linkId);
    await this.reading.requireNamed(desk, id);
    return this.reports.versions(desk.caller, id);
  }

  /** As PDF, or with `as=html` as a page. `report.not_found` for a version that there is not. */
  @Get('versions/:version/document')
  @PublicRoute()
  async document(
    @Param() { linkId, id, version }: Readonly<Record<'linkId' | 'id' | 'version', string>>,
    @Query('as') as: unknown,
    @Query('lang') language: unknown,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    const desk = await this.sessions.admit(request, linkId);
    await this.reading.requireNamed(desk, id);
    const mediaType = as === 'html' ? 'text/html' : 'application/pdf';
    const representation = { mediaType, language: languageOf(language), paper: undefined } as const;
    return this.reports.version(desk.caller, id, version, representation, undefined);
  }

  @Get('curve')
  @PublicRoute()
  async curve(
    @Param('linkId') linkId: string,
    @Param('id') id: string,
    @Query('lang') language: unknown,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer> {
    return this.reading.curve(await this.sessions.admit(request, linkId), id, languageOf(language));
  }
}

/** A query that is stated twice is a list, and names none. */
function languageOf(wished: unknown): Language {
  return chooseLanguage(typeof wished === 'string' ? wished : undefined, undefined) ?? 'en';
}
