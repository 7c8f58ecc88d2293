import { createHash } from 'node:crypto';
import type { IdempotencyKey, StoredAnswer } from '../../../core/idempotency/idempotency-ledger.js';
import type { IdempotentAnswer } from '../../../core/idempotency/idempotency.service.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';

/** `route` is the method and the path of the frozen contract, so that a key means the same in every version of the code. */
export function toIdempotencyKey(route: string, key: string | null, body: unknown): IdempotencyKey | null {
  if (key === null) return null;
  return { route, key, bodySha256: createHash('sha256').update(canonicalJson(body)).digest('hex') };
}

/** The body is kept as text: a replay is the same to the byte. */
export function toStoredAnswer(answer: HttpAnswer): StoredAnswer {
  return { status: answer.status, headers: answer.headers, body: answer.body };
}

export function fromStoredAnswer({ answer, replayed }: IdempotentAnswer): HttpAnswer {
  const headers = replayed ? { ...answer.headers, 'idempotency-replayed': 'true' } : answer.headers;
  return { status: answer.status, headers, body: answer.body as string };
}

/** JSON with sorted keys and no spaces, so that the same value always gives the same text (after RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = entries.sort(([first], [second]) => (first < second ? -1 : 1));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}
