/** Tolerance for rounding beyond 0..1. */
const SLACK = 1e-3;
/** Tolerance for the sum over all classes, since half precision rounds. */
const SUM_SLACK = 1e-2;

/** True where anything is no probability; NaN and infinities too, since neither comparison holds for them. */
export function outsideUnitInterval(values: Float32Array): boolean {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    if (!(value >= -SLACK && value <= 1 + SLACK)) return true;
  }
  return false;
}

/** True where the classes' planes, one after another, do not sum to 1 at some pixel. */
export function sumsToOtherThanOne(values: Float32Array, classes: number): boolean {
  const plane = values.length / classes;
  for (let pixel = 0; pixel < plane; pixel += 1) {
    let sum = 0;
    for (let index = pixel; index < values.length; index += plane) sum += values[index]!;
    if (!(Math.abs(sum - 1) <= SUM_SLACK)) return true;
  }
  return false;
}
