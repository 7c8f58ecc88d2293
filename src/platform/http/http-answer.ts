import type { FastifyReply } from 'fastify';
import { remainingOf, type QuotaUsage } from '../../core/tenancy/quota-usage.js';

/** A complete answer, made without knowledge of the framework. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, bytes, or nothing. */
  readonly body: string | Uint8Array | null;
}

const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** An answer whose body is JSON. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { 'content-type': JSON_CONTENT_TYPE, ...headers }, body: JSON.stringify(body) };
}

/** An answer without a body. */
export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers, body: null };
}

/** Whether a route returned a complete answer. No view of this service has these three fields. */
export function isAnswer(returned: unknown): returned is HttpAnswer {
  return (
    typeof returned === 'object' &&
    returned !== null &&
    'status' in returned &&
    'headers' in returned &&
    'body' in returned
  );
}

export function sendAnswer(reply: FastifyReply, answer: HttpAnswer): void {
  void reply.code(answer.status).headers(answer.headers);
  if (answer.body === null) void reply.send();
  else
    void reply.send(
      typeof answer.body === 'string'
        ? answer.body
        : Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength),
    );
}

/** The daily quota as `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, structured fields). */
export function rateLimitHeaders(quota: QuotaUsage): Record<string, string> {
  return {
    'ratelimit-policy': `"daily";q=${quota.limit};w=86400`,
    ratelimit: `"daily";r=${remainingOf(quota)};t=${quota.resetsInS}`,
  };
}
