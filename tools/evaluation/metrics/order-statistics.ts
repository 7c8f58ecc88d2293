/** Arithmetic mean; null of no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

/** The middle value, or the mean of the two in the middle; null of no values. */
export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

/** The value below which `share` (0..1) of the values lie, linear between neighbours (type 7 of Hyndman and Fan 1996); null of no values. */
export function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}
