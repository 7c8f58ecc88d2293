/** Further digits after the point are binary residue. */
const MOST_DIGITS = 6;

/** All digits of the value, and at least `digits` after the point: nothing is rounded here. */
export function figure(value: number, digits: number): string {
  const [whole, fraction = ''] = (value + 0).toFixed(MOST_DIGITS).split('.');
  const kept = fraction.replace(/0+$/, '').padEnd(digits, '0');
  return kept === '' ? whole! : `${whole}.${kept}`;
}
