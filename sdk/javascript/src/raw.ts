import type { CallOptions } from './options.js';

/** Of `request`. */
export interface RequestOptions extends CallOptions {
  /** Without those that are undefined or null. */
  query?: Record<string, unknown>;
  /** A body, sent as JSON. */
  json?: unknown;
  /** Any but the key. */
  headers?: Record<string, string>;
  /** With it a POST or PATCH is repeated after a lost answer. */
  idempotencyKey?: string;
  /** In place of the client's. */
  timeoutMs?: number;
}

/** An answer as it came. A refusal is thrown instead. */
export interface RawAnswer {
  status: number;
  /** Names in lower case, such as `ratelimit` and `etag`. */
  headers: Record<string, string>;
  /** Tell it to support. */
  requestId: string | undefined;
  body: Uint8Array;
  /** The body as JSON; MalformedResponseError where it is none. */
  json<Body = unknown>(): Body;
}
