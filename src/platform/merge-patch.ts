type Json = Readonly<Record<string, unknown>>;

/**
 * Applies a JSON merge patch (RFC 7396): a member of the patch replaces that of the target, null removes it, and
 * objects are merged.
 */
export function mergePatched(known: Json, patch: Json): Record<string, unknown> {
  const result: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = isObject(value) ? mergePatched(isObject(result[name]) ? result[name] : {}, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
