/** How often a job timed out. */
export interface TimeoutFigures {
  readonly all: number;
  /** Those after which other jobs had ended well meanwhile, so that the service worked and the photo is at fault. */
  readonly own: number;
}

export type AfterTimeout = { readonly kind: 'end' } | { readonly kind: 'retry'; readonly afterS: number };

/** The wait after the first, second and further time-outs: a busy or stopped machine has time to recover. */
const WAITS_S = [15, 60, 180, 300] as const;
/** A photo that times out this often while others end well is given up (`processing.timeout`). */
export const MOST_OWN_TIMEOUTS = 3;

/** The wait after the first and second attempt that crashed: what made it crash, such as want of memory, may pass. */
const CRASH_WAITS_S = [2, 10] as const;

/** Seconds until a job whose attempt crashed is tried again. */
export function waitAfterCrashS(attempts: number): number {
  return CRASH_WAITS_S[Math.min(attempts, CRASH_WAITS_S.length) - 1] ?? CRASH_WAITS_S[0];
}

/** The next step of a job that timed out. Trouble of the service never ends a job: it waits, at most five minutes at a time. */
export function afterTimeout({ all, own }: TimeoutFigures): AfterTimeout {
  if (own >= MOST_OWN_TIMEOUTS) return { kind: 'end' };
  return { kind: 'retry', afterS: WAITS_S[Math.min(all, WAITS_S.length) - 1] ?? WAITS_S[0] };
}
