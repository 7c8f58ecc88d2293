import type { ErrorKind } from '../../core/errors/catalogue.js';

/** The one place where an error kind meets an HTTP status. */
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
