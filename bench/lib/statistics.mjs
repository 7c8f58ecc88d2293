/** The value below which `share` (0..1) of the sorted copy lies; NaN for an empty list. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => percentile(values, 0.5);

/** Ratios are averaged by their logarithms: 0.5 and 2 make 1. */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** p50, p95 and p99 in milliseconds, rounded to a hundredth. */
export function describeLatencies(valuesMs) {
  const rounded = (share) => Math.round(percentile(valuesMs, share) * 100) / 100;
  return { p50: rounded(0.5), p95: rounded(0.95), p99: rounded(0.99), count: valuesMs.length };
}
