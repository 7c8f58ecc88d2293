type Json = Readonly<Record<string, unknown>>;

/** RFC 7396: members of the patch take the place of those that are there, null removes one, and objects are patched within. */
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
