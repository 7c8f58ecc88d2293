/** How far numbers ever step back from the highest before them. */
export function backwards(numbers: readonly number[]): number {
  let [highest, most] = [-Infinity, 0];
  for (const number of numbers) {
    highest = Math.max(highest, number);
    most = Math.max(most, highest - number);
  }
  return most;
}
