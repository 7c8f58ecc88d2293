import type { IncomingMessage } from 'node:http';
import type { ErrorCode, ErrorKind } from '../../core/errors/catalogue.js';
import type { FieldError, SuturaError } from '../../core/errors/sutura-error.js';
import { rateLimitHeaders } from './http-answer.js';

const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';

/** A refusal as RFC 9457 has it. `type` identifies the code and is not an address; docs/errors.md explains it. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The requested path without its query, as queries may carry signatures. */
  readonly instance: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  /** What waits for a person because of it, by its id in the list. */
  readonly heldId?: string;
}

export interface ProblemOccasion {
  readonly requestId: string;
  /** The request target as it was sent. */
  readonly url: string;
  /** For formats that depend on what the caller accepts; absent where no request could be read. */
  readonly request?: IncomingMessage;
}

const INSTANCE_LIMIT = 256;

/** The HTTP status of each kind of error; no other place assigns one. */
export const PROBLEM_STATUS: Readonly<Record<ErrorKind, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  timed_out: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  uri_too_long: 414,
  unsupported_type: 415,
  unprocessable: 422,
  precondition_required: 428,
  limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
};

/** A URN and not a web address, as answers name no domain outside this service. */
function problemType(code: ErrorCode): string {
  return `urn:sutura:error:${code}`;
}

export function toProblem(error: SuturaError, occasion: ProblemOccasion): Problem {
  return {
    type: problemType(error.code),
    title: error.title,
    status: PROBLEM_STATUS[error.kind],
    detail: error.detail,
    instance: pathOf(occasion.url).slice(0, INSTANCE_LIMIT),
    code: error.code,
    requestId: occasion.requestId,
    ...(error.facts.errors === undefined ? {} : { errors: error.facts.errors }),
    ...(error.facts.heldId === undefined ? {} : { heldId: error.facts.heldId }),
  };
}

/** The headers of a refusal, besides those of every answer. */
export function problemHeaders(error: SuturaError): Record<string, string> {
  const { retryAfterS, quota, allow, codings, challenge = 'Bearer' } = error.facts;
  return {
    'content-type': PROBLEM_CONTENT_TYPE,
    ...(error.kind === 'unauthenticated' ? { 'www-authenticate': challenge } : {}),
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) }),
    ...(quota === undefined ? {} : rateLimitHeaders(quota)),
    ...(allow === undefined ? {} : { allow: allow.join(', ') }),
    ...(codings === undefined ? {} : { 'accept-encoding': codings }),
  };
}

/** The path of a request target, without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** True if an address is `prefix` (`/name`) itself or stands below it. */
export function isAtOrBelow(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const path = pathOf(url);
  return path.length === prefix.length || path[prefix.length] === '/';
}
