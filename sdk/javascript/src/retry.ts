import { NetworkError, RequestTimeoutError, SuturaError } from './errors.js';
import type { AbortSignalLike } from './options.js';
import type { Time } from './time.js';

const BASE_MS = 500;
const LONGEST_MS = 8000;
const PASSING = [408, 429, 502, 503, 504];

export interface RetryRules {
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly time: Time;
}

/** How long to pause before the next attempt; null: do not repeat. `failures` counts those before this one. */
export function pauseBeforeRetry(fault: unknown, failures: number, rules: RetryRules): number | null {
  return failures >= rules.maxRetries ? null : pauseAfterPassing(fault, failures, rules);
}

/** The same, however many failed before. */
export function pauseAfterPassing(
  fault: unknown,
  failures: number,
  rules: Omit<RetryRules, 'maxRetries'>,
): number | null {
  if (!isPassing(fault)) return null;
  if (fault.retryAfterMs === undefined) return rules.time.random() * Math.min(LONGEST_MS, BASE_MS * 2 ** failures);
  return fault.retryAfterMs > rules.maxRetryAfterMs ? null : fault.retryAfterMs;
}

function isPassing(fault: unknown): fault is SuturaError {
  if (fault instanceof NetworkError || fault instanceof RequestTimeoutError) return true;
  // The service itself says that this conflict ends by itself; it is met where a first attempt is still running.
  return (
    fault instanceof SuturaError && (PASSING.includes(fault.status ?? 0) || fault.code === 'idempotency.in_flight')
  );
}

/** Whether the service may have done it although it did not say so. A 503 may come of a fault on the way back. */
function mayBeDone({ status = 408, code }: SuturaError): boolean {
  return (status === 408 || status >= 500) && code !== 'ECONNREFUSED' && code !== 'ENOTFOUND';
}

/** Attempts until one succeeds or may not be repeated, with `once` where it may have been carried out. `attempt` is told how many failed before it. */
export async function withRetries<T>(
  rules: RetryRules,
  signal: AbortSignalLike | undefined,
  attempt: (failures: number) => Promise<T>,
  once = false,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt(failures);
    } catch (fault) {
      const pauseMs = pauseBeforeRetry(fault, failures, rules);
      if (pauseMs === null || (once && mayBeDone(fault as SuturaError))) throw fault;
      await rules.time.sleep(pauseMs, signal);
    }
  }
}
