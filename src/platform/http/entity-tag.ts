import { createHash } from 'node:crypto';
import { emptyAnswer, type HttpAnswer } from './http-answer.js';

/** A strong entity tag (RFC 9110 8.8.3) of these very bytes. */
export function entityTagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** True if an `If-None-Match` names the tag, by weak comparison (RFC 9110 13.1.2). */
export function matchesEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === tag);
}

/** Adds the entity tag. Answers 304 without a body if the caller has it already. */
export function conditional(
  answer: HttpAnswer,
  ifNoneMatch: string | undefined,
  tag = entityTagOf(answer.body ?? ''),
): HttpAnswer {
  if (!matchesEntityTag(ifNoneMatch, tag)) return { ...answer, headers: { ...answer.headers, etag: tag } };
  const headers = Object.entries(answer.headers).filter(([name]) => !name.startsWith('content-'));
  return emptyAnswer(304, { ...Object.fromEntries(headers), etag: tag });
}
