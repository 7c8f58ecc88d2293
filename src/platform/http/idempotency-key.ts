import { invalidInput } from './parse-input.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const QUOTED = /^"(.*)"$/;

/** The key of a quoted (RFC 8941 3.3.3) or bare `Idempotency-Key`; null without one. `request.invalid`. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = typeof header === 'string' ? header.trim() : '';
  const key = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text;
  if (!PRINTABLE.test(key))
    throw invalidInput('/header/Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  return key;
}
