import { SuturaError } from '../errors/sutura-error.js';
import type { Environment } from '../tenancy/tenant.js';

/** The key of a job's metadata by which a caller of the test environment asks for an outcome. */
export const SANDBOX_KEY = 'sandbox';
export const SANDBOX_POINTER = `/metadata/${SANDBOX_KEY}`;

/** Outcomes that are one word; `slow:30s` states a time. Published names. */
export const SANDBOX_WORDS = ['job_failed', 'quota_exceeded', 'needs_review', 'held:identity_conflict'] as const;
export type SandboxWord = (typeof SANDBOX_WORDS)[number];

export const LONGEST_SLOW_S = 600;
const SLOW = /^slow:([1-9]\d{0,2})s$/;

/** What a caller asked for, as it was written. */
export interface SandboxOutcome {
  readonly asked: string;
  readonly kind: SandboxWord | 'slow';
  /** Of `slow`: so many seconds pass before a worker takes the job; of all others 0. */
  readonly delayS: number;
}

/** What a job that is kept asked for; null: nothing, and never in live, whatever its metadata say. */
export function sandboxOutcome(environment: Environment, asked: string | null | undefined): SandboxOutcome | null {
  return environment === 'live' || asked === undefined || asked === null ? null : read(asked);
}

/**
 * What a request asks for; null: nothing. `sandbox.live` for any in live, where somebody would take the outcome for a true one; `request.invalid` for
 * one that there is not.
 */
export function requireSandboxOutcome(
  environment: Environment,
  metadata: Readonly<Record<string, string>> | null,
): SandboxOutcome | null {
  const asked = metadata?.[SANDBOX_KEY];
  if (asked === undefined && environment === 'test') requireNoLikeKey(metadata ?? {});
  if (asked === undefined) return null;
  if (environment === 'live') throw new SuturaError('sandbox.live');
  const outcome = read(asked);
  if (outcome !== null) return outcome;
  const detail = `must be ${SANDBOX_WORDS.join(', ')}, or slow:1s to slow:${LONGEST_SLOW_S}s`;
  throw new SuturaError('request.invalid', { errors: [{ pointer: SANDBOX_POINTER, detail }] });
}

/** A job that was to ask for an outcome, and by another case of the letters would have run as any other. */
function requireNoLikeKey(metadata: Readonly<Record<string, string>>): void {
  const like = Object.keys(metadata).find((key) => key.toLowerCase() === SANDBOX_KEY);
  if (like === undefined) return;
  const pointer = `/metadata/${like}`;
  throw new SuturaError('request.invalid', { errors: [{ pointer, detail: 'is written "sandbox", in lower case' }] });
}

/** Said wherever an outcome shows that was asked for, so that nobody looks for its cause. */
export function askedForBySandbox({ asked }: SandboxOutcome, what: string): string {
  return `Asked for by metadata.sandbox (${asked}): ${what}`;
}

function read(asked: string): SandboxOutcome | null {
  const word = SANDBOX_WORDS.find((one) => one === asked);
  if (word !== undefined) return { asked, kind: word, delayS: 0 };
  const delayS = Number(SLOW.exec(asked)?.[1] ?? 0);
  return delayS >= 1 && delayS <= LONGEST_SLOW_S ? { asked, kind: 'slow', delayS } : null;
}
