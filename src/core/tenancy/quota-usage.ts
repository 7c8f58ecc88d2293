/** One organization's analyses on one UTC day, both environments together. */
export interface QuotaUsage {
  readonly limit: number;
  readonly used: number;
  /** Seconds until 00:00 UTC, when `used` starts again at 0. */
  readonly resetsInS: number;
}

export function remainingOf(usage: QuotaUsage): number {
  return Math.max(0, usage.limit - usage.used);
}
