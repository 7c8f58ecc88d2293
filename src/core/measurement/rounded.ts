/** `value` to that many digits after the point. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  // Without the zero a tiny loss would come out as -0.
  return Math.round(value * factor) / factor + 0;
}
