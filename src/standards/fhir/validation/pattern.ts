/** `fixed[x]`: the same, element by element. */
export function equals(value: unknown, fixed: unknown): boolean {
  if (Array.isArray(fixed))
    return (
      Array.isArray(value) && value.length === fixed.length && fixed.every((each, index) => equals(value[index], each))
    );
  if (typeof fixed !== 'object' || fixed === null) return value === fixed;
  return (
    isObject(value) &&
    Object.keys(value).length === Object.keys(fixed).length &&
    Object.entries(fixed).every(([key, each]) => equals(value[key], each))
  );
}

/** `pattern[x]`: the stated elements are present; in a list, in any place (R4 ElementDefinition.pattern). */
export function includesPattern(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern))
    return Array.isArray(value) && pattern.every((each) => value.some((candidate) => includesPattern(candidate, each)));
  if (typeof pattern !== 'object' || pattern === null) return value === pattern;
  return isObject(value) && Object.entries(pattern).every(([key, each]) => includesPattern(value[key], each));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
