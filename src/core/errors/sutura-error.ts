import { ERROR_CATALOGUE, type ErrorCode, type ErrorKind } from './catalogue.js';

/** One refused field: a JSON pointer into the request (RFC 6901) and what is wrong with it. Never the value itself. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

export interface ErrorFacts {
  /** Replaces the catalogue's advice where the occasion allows a better one. No clinical text, key or file name. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Delay after which a repeat may succeed. */
  readonly retryAfterS?: number;
  /** Replaces the catalogue's kind for a code that has two (a missing signature is a bad request, a forged one is forbidden). */
  readonly kind?: ErrorKind;
  /** `Type/id` of the record that is meant; no door shows it. */
  readonly record?: string;
  /** What waits for a person because of it, by its id in the list. */
  readonly heldId?: string;
  /** Machine-readable limits that the door may show as headers, for example the quota. */
  readonly quota?: { readonly limit: number; readonly used: number; readonly resetsInS: number };
  /** Methods that the route does have. */
  readonly allow?: readonly string[];
  /** Content codings that a body may be packed by. */
  readonly codings?: string;
  /** Ways to authenticate here, as WWW-Authenticate lists them; absent: Bearer. */
  readonly challenge?: string;
}

/** A named refusal. Thrown anywhere, rendered once per door. */
export class SuturaError extends Error {
  readonly kind: ErrorKind;
  readonly title: string;
  readonly detail: string;

  constructor(
    readonly code: ErrorCode,
    readonly facts: ErrorFacts = {},
  ) {
    super(code);
    this.name = 'SuturaError';
    this.kind = facts.kind ?? ERROR_CATALOGUE[code].kind;
    this.title = ERROR_CATALOGUE[code].title;
    this.detail = facts.detail ?? ERROR_CATALOGUE[code].advice;
  }
}

/** True for a refusal with one of these codes. */
export function isSuturaError<Code extends ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is SuturaError & { readonly code: Code } {
  return error instanceof SuturaError && (codes.length === 0 || (codes as ErrorCode[]).includes(error.code));
}
