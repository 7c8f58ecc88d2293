import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PAPERS, type Paper } from '../../../core/report/report-document.js';
import { chooseLanguage, LANGUAGES, type Language } from '../../../reports/index.js';
import { preferredMediaType } from '../../../platform/http/accept.guard.js';
import { invalidInput } from '../../../platform/http/parse-input.js';

/** The media types of a report; the first is the default. */
export const REPORT_MEDIA_TYPES = ['application/json', 'text/html', 'application/pdf', 'text/plain'] as const;
export type ReportMediaType = (typeof REPORT_MEDIA_TYPES)[number];

/** The representation that a caller asks for. */
export interface Representation {
  readonly mediaType: ReportMediaType;
  readonly language: Language;
  /** undefined: the usual one of the service. */
  readonly paper: Paper | undefined;
}

/** Chosen by `Accept`, and by `lang` of the query before `Accept-Language`; another `paper` than those that there are is refused with the query. */
export const RequestedRepresentation = createParamDecorator((_: unknown, context: ExecutionContext): Representation => {
  const { headers, query } = context
    .switchToHttp()
    .getRequest<FastifyRequest<{ Querystring: { lang?: unknown; paper?: unknown } }>>();
  const language = chooseLanguage(typeof query.lang === 'string' ? query.lang : undefined, headers['accept-language']);
  if (language === null) throw invalidInput('/query/lang', `must be one of ${LANGUAGES.join(', ')}`);
  const mediaType = preferredMediaType(headers.accept, REPORT_MEDIA_TYPES) ?? REPORT_MEDIA_TYPES[0];
  return { language, mediaType: mediaType as ReportMediaType, paper: PAPERS.find((paper) => paper === query.paper) };
});

/** `If-Match` of the request, or undefined. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  return context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
});
