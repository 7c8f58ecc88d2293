const FORM = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d):(\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?)?)?)?$/;

/**
 * Which of two dates or times is the earlier, as FHIRPath compares them: negative, 0 or positive; null where one is less precise and the
 * other lies within it, or where a text is no date.
 */
export function compareDates(one: string, other: string): number | null {
  const [first, second] = [partsOf(one), partsOf(other)];
  if (first === null || second === null) return null;
  if (first.instantMs !== null && second.instantMs !== null) return first.instantMs - second.instantMs;
  const shared = Math.min(first.parts.length, second.parts.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = first.parts[index]! - second.parts[index]!;
    if (difference !== 0) return difference;
  }
  return first.parts.length === second.parts.length ? 0 : null;
}

function partsOf(text: string): { parts: number[]; instantMs: number | null } | null {
  const found = FORM.exec(text);
  if (found === null) return null;
  const stated = (found as readonly (string | undefined)[]).slice(1, 7);
  const parts = stated.filter((part) => part !== undefined).map(Number);
  return { parts, instantMs: found[7] === undefined ? null : Date.parse(text) };
}
