import { HttpException } from '@nestjs/common';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import { SuturaError, type ErrorFacts } from '../../core/errors/sutura-error.js';

type Named = readonly [code: ErrorCode, facts?: ErrorFacts];

/** Fastify's own refusals, by its codes (fastify/lib/errors.js). */
const BY_FASTIFY_CODE: Readonly<Record<string, Named>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['request.too_large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['request.content_type'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'request.invalid',
    { detail: 'The body is not as long as Content-Length says. Send the request again.' },
  ],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['request.content_type'],
  FST_ERR_BAD_URL: ['request.invalid', { detail: 'The address has a malformed percent-encoding. Encode it again.' }],
  FST_ERR_MAX_PARAM_LENGTH: ['request.uri_too_long'],
  FST_ERR_HANDLER_TIMEOUT: ['service.unavailable', { retryAfterS: 2 }],
};

const UNREADABLE: Named = [
  'request.invalid',
  { detail: 'The request could not be read. Check its form and send it again.' },
];

/** Any other HTTP refusal of the framework, by its status. */
const BY_STATUS: Readonly<Record<number, Named>> = {
  400: UNREADABLE,
  // A forbidden file below /api-docs does not exist for callers.
  403: ['route.not_found'],
  404: ['route.not_found'],
  405: ['route.method_not_allowed'],
  406: ['request.not_acceptable'],
  408: ['request.timeout'],
  413: ['request.too_large'],
  414: ['request.uri_too_long'],
  415: ['request.content_type'],
  431: ['request.headers_too_large'],
  503: ['service.unavailable', { retryAfterS: 2 }],
};

/** The SuturaError behind anything thrown below a door, else `service.internal`. Texts of libraries are dropped. */
export function fromHttpError(error: unknown): SuturaError {
  if (error instanceof SuturaError) return error;
  const status = statusOf(error) ?? 500;
  const named =
    byFastifyCode(error) ?? BY_STATUS[status] ?? (status < 500 ? UNREADABLE : (['service.internal'] as const));
  return new SuturaError(...named);
}

function byFastifyCode(error: unknown): Named | undefined {
  // Nest wraps Fastify's errors and keeps the original as the cause.
  const original = error instanceof HttpException && error.cause !== undefined ? error.cause : error;
  const code = (original as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? BY_FASTIFY_CODE[code] : undefined;
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  // Only Fastify's own errors: other libraries use the same field for answers that they got themselves.
  return typeof status === 'number' && (error as Error).name === 'FastifyError' ? status : undefined;
}
