import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type ErrorFacts,
  type FieldProblem,
  GoneError,
  MalformedResponseError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  PreconditionRequiredError,
  QuotaExceededError,
  RateLimitError,
  RequestTimeoutError,
  ScopeError,
  ServerError,
  SuturaError,
  UnprocessableError,
  UnsupportedMediaTypeError,
} from './errors.js';
import type { FetchResponse } from './settings.js';

const BY_STATUS: Readonly<Record<number, typeof SuturaError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: ScopeError,
  404: NotFoundError,
  408: RequestTimeoutError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableError,
  428: PreconditionRequiredError,
  429: RateLimitError,
};

/** What an answer says of itself outside its body. */
export function factsOf(response: FetchResponse, nowMs: number): ErrorFacts {
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), nowMs);
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? undefined, retryAfterMs };
}

/** `Retry-After` in its two forms (RFC 9110 10.2.3); undefined where it is neither. */
export function readRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** The typed error of an answer that refuses. A body that is no problem description (a page of a proxy) is not shown. */
export async function toError(response: FetchResponse, nowMs: number): Promise<SuturaError> {
  const { status } = response;
  const problem = readProblem(await response.text());
  const facts = factsOf(response, nowMs);
  const known = {
    ...facts,
    code: textOf(problem.code),
    requestId: textOf(problem.requestId) ?? facts.requestId,
    errors: fieldsOf(problem.errors),
    heldId: textOf(problem.heldId),
  };
  // A page is not told more of a redirect than that it was one.
  if (status === 0 || (status >= 300 && status < 400))
    return new MalformedResponseError(
      `The service answered ${status === 0 ? 'with' : `${status},`} a redirect. Set the base URL to where it leads.`,
      known,
    );
  const said =
    textOf(problem.detail) ??
    textOf(problem.title) ??
    `The answer is ${status} without a description. Does the base URL lead to Sutura?`;
  return new (errorTypeOf(status, known.code))(
    `${said}${describeFields(known.errors, said)} (${describe(known)})`,
    known,
  );
}

function errorTypeOf(status: number, code: string | undefined): typeof SuturaError {
  if (code === 'quota.exceeded') return QuotaExceededError;
  return BY_STATUS[status] ?? (status >= 500 ? ServerError : SuturaError);
}

function readProblem(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function fieldsOf(value: unknown): FieldProblem[] | undefined {
  return Array.isArray(value)
    ? value.filter((field) => typeof field?.pointer === 'string' && typeof field.detail === 'string')
    : undefined;
}

/** Without those that say what was said. */
function describeFields(fields: FieldProblem[] = [], said: string): string {
  return fields
    .filter(({ detail }) => detail !== said)
    .map(({ pointer, detail }) => ` ${pointer}: ${detail.replace(/[.]$/, '')}.`)
    .join('');
}

function describe({ status, code, requestId, heldId }: ErrorFacts): string {
  return [
    `${status}${code === undefined ? '' : ` ${code}`}`,
    ...(heldId === undefined ? [] : [`held as ${heldId}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ].join(', ');
}
