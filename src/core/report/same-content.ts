/** True where two values would be the same JSON, whatever the order of their keys; undefined counts as absent. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [presentEntries(one), new Map(presentEntries(other))];
  return (
    left.length === right.size && left.every(([key, value]) => right.has(key) && isSameJson(value, right.get(key)))
  );
}

function presentEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined);
}
