import { createHash } from 'node:crypto';
import type { IdempotencyKey, StoredAnswer } from '../../core/idempotency/idempotency-ledger.js';
import type { IdempotentAnswer } from '../../core/idempotency/idempotency.service.js';
import type { HttpAnswer } from '../../platform/http/http-answer.js';
import { canonicalJson } from './canonical-json.js';

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
