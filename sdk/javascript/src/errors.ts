import type { AnalysisJob, FailedJob, JobError } from './resources.js';

/** One field of a request that was refused. */
export interface FieldProblem {
  /** JSON Pointer (RFC 6901) into the body, or below `/query` or `/header`. */
  pointer: string;
  detail: string;
}

/** What is known of a failure besides its message. */
export type ErrorFacts = Partial<
  Pick<SuturaError, 'status' | 'code' | 'requestId' | 'errors' | 'retryAfterMs' | 'heldId'>
>;

/**
 * Every failure that this library names. The message says what happened and what to do; it never holds the key or a signed address.
 *
 * @example
 * try {
 *   await client.getJob('01997f2e-0000-7000-8000-000000000000');
 * } catch (error) {
 *   if (!(error instanceof SuturaError)) throw error;
 *   console.log(error.status, error.code, error.requestId); // 404 job.not_found 0199…
 * }
 */
export class SuturaError extends Error {
  /** HTTP status; absent where the service did not answer. */
  declare readonly status: number | undefined;
  /** Stable code of the service, for example `quota.exceeded`: switch on this. Of a NetworkError: the platform's, such as `ECONNREFUSED`. */
  declare readonly code: string | undefined;
  /** Tell it to support. */
  declare readonly requestId: string | undefined;
  /** The fields that are wrong, with the code `request.invalid`. */
  declare readonly errors: FieldProblem[];
  /** When a repeat is worth while, if the service said so. */
  declare readonly retryAfterMs: number | undefined;
  /** What waits for a person because of the request, by its id in `GET /api/v1/held`: repeat the request, with the same `idempotencyKey`, once somebody has decided. */
  declare readonly heldId: string | undefined;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message);
    const known = Object.entries(facts).filter(([, value]) => value !== undefined);
    Object.assign(this, { errors: [] }, Object.fromEntries(known));
  }
}

/** 400: the request or a field of it is wrong. */
export class BadRequestError extends SuturaError {}
/** 401: no key, or an unknown, revoked or expired one. */
export class AuthenticationError extends SuturaError {}
/** 403: the key lacks a scope, or an upload address was changed. */
export class ScopeError extends SuturaError {}
/** 404: unknown, or not yours. */
export class NotFoundError extends SuturaError {}
/** 409, for example `image.in_use`. */
export class ConflictError extends SuturaError {}
/** 410: expired or deleted. */
export class GoneError extends SuturaError {}
/** 412 `report.stale`: the report has changed since it was read. Read it again, and decide about what it says now. */
export class PreconditionFailedError extends SuturaError {}
/** 428: `If-Match` did not arrive. This library sends it; a proxy may have taken it away. */
export class PreconditionRequiredError extends SuturaError {}
/** 413, or a photo over the limit that was not sent at all. */
export class PayloadTooLargeError extends SuturaError {}
/** 415: the service does not read this type. */
export class UnsupportedMediaTypeError extends SuturaError {}
/** 422, for example `image.unreadable`. */
export class UnprocessableError extends SuturaError {}
/** 429: too many requests. */
export class RateLimitError extends SuturaError {}
/** 429 `quota.exceeded`: the analyses of the day are used up. */
export class QuotaExceededError extends RateLimitError {}
/** 5xx. */
export class ServerError extends SuturaError {}
/** No answer, or one that broke off. `code` is the platform's where it gives one: `ECONNREFUSED`, `ENOTFOUND`, `ECONNRESET`. */
export class NetworkError extends SuturaError {}
/** No answer within `timeoutMs`, or 408. */
export class RequestTimeoutError extends SuturaError {}
/** The file is no JPEG, PNG or WebP; nothing was sent. */
export class UnsupportedImageError extends SuturaError {}
/** The options of the client, or what was given to `verifyWebhook`, cannot work. */
export class ConfigurationError extends SuturaError {}
/** Not what the service promises: often a proxy, or a wrong base URL. */
export class MalformedResponseError extends SuturaError {}

/** The request was not signed with any of the secrets, or long ago: answer 400 and do nothing with it. */
export class WebhookVerificationError extends SuturaError {}

/** The job is still running after the time given. It goes on: wait again with `error.job.id`. */
export class WaitTimeoutError extends SuturaError {
  /** As last seen; null where it was never seen. */
  declare readonly job: AnalysisJob | null;

  constructor(message: string, job: AnalysisJob | null, facts: ErrorFacts = {}) {
    super(message, facts);
    keepAside(this, job);
  }
}

/** The job ended in `error`. `code` says why. */
export class JobFailedError extends SuturaError {
  declare readonly job: FailedJob;
  /** True where a new job on the same photo may succeed. */
  declare readonly retryable: boolean;

  constructor(job: FailedJob) {
    // A service of another release may say less.
    const { code, detail, retryable = false } = (job.error ?? {}) as Partial<JobError>;
    super(`${detail ?? 'The analysis ended in error.'} (${code ?? 'no code'}, job ${job.id})`, { code });
    Object.assign(this, { retryable });
    keepAside(this, job);
  }
}

/** Not enumerable: a job has clinical text, and errors are printed into logs. */
function keepAside(error: SuturaError, job: AnalysisJob | null): void {
  Object.defineProperty(error, 'job', { value: job });
}

const NAMED = {
  SuturaError,
  BadRequestError,
  AuthenticationError,
  ScopeError,
  NotFoundError,
  ConflictError,
  GoneError,
  PreconditionFailedError,
  PreconditionRequiredError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  UnprocessableError,
  RateLimitError,
  QuotaExceededError,
  ServerError,
  NetworkError,
  RequestTimeoutError,
  UnsupportedImageError,
  ConfigurationError,
  MalformedResponseError,
  WebhookVerificationError,
  WaitTimeoutError,
  JobFailedError,
};

// By text, since a minifier shortens the names of classes.
for (const [name, type] of Object.entries(NAMED)) {
  const named = { value: name, configurable: true };
  Object.defineProperty(type.prototype, 'name', { ...named, writable: true });
  Object.defineProperty(type, 'name', named);
}
