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

/** The next step of a job that timed out. Trouble of the service never ends a job: it waits, at most five minutes at a time. */
export function afterTimeout({ all, own }: TimeoutFigures): AfterTimeout {
  if (own >= MOST_OWN_TIMEOUTS) return { kind: 'end' };
  return { kind: 'retry', afterS: WAITS_S[Math.min(all, WAITS_S.length) - 1] ?? WAITS_S[0] };
}
