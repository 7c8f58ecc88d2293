/** Longest wait for an answer, in seconds. */
const WAIT_LIMIT_S = 30;

/**
 * The seconds of `Prefer: wait=N` (RFC 7240 4.3), at most 30; null without a usable one. A preference that cannot be
 * understood is ignored and never an error (RFC 7240 2).
 */
export function preferredWaitS(prefer: string | undefined): number | null {
  for (const preference of (prefer ?? '').split(',')) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(;.*)?$/i.exec(preference)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), WAIT_LIMIT_S);
  }
  return null;
}
