/** A round number that is not smaller; at least 4, so that the middle of the scale is whole. */
export function niceTop(largest: number): number {
  if (largest <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 4, 5, 10].map((step) => step * power).find((top) => top >= largest)!;
}

/** The runs of known values between gaps, with their places. A value between two gaps is drawn as a dash. */
export function breaksOf(values: readonly (number | null)[]): { readonly place: number; readonly value: number }[][] {
  const runs: { place: number; value: number }[][] = [];
  values.forEach((value, place) => {
    if (value === null) return;
    if (place === 0 || values[place - 1] === null || runs.length === 0) runs.push([]);
    runs.at(-1)!.push({ place, value });
  });
  return runs.map((run) => (run.length === 1 ? [run[0]!, { ...run[0]!, place: run[0]!.place + 0.5 }] : run));
}

/** Places of about five spans to be named below a chart. */
export function ticksOfTime(at: readonly string[]): number[] {
  if (at.length < 2) return at.map((_, place) => place);
  const step = (at.length - 1) / 5;
  return [0.5, 1.5, 2.5, 3.5, 4.5].map((nth) => Math.round(nth * step));
}
