/** One organization's analyses on one UTC day, both environments together. */
export interface QuotaUsage {
  readonly limit: number;
  readonly used: number;
  /** Seconds until 00:00 UTC, when `used` starts again at 0. */
  readonly resetsInS: number;
}

/** What becomes of an analysis beyond the quota: it is kept and begins when the quota returns, or what asked for it is refused. */
export type QuotaPolicy = 'wait' | 'refuse';

const SECONDS_PER_DAY = 86_400;

/** Whole seconds from `now` to the next 00:00 UTC, 1 to 86,400. */
export function secondsToQuotaReset(now: Date): number {
  const secondOfDay = Math.floor(now.getTime() / 1000) % SECONDS_PER_DAY;
  return SECONDS_PER_DAY - secondOfDay;
}

export function remainingOf(usage: QuotaUsage): number {
  return Math.max(0, usage.limit - usage.used);
}
