/** Without the fields that say nothing: the service takes absent for unknown, and refuses null. */
export function withoutEmpty(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** A path with what was given as its query; each pair of `metadata` is a parameter of its own. */
export function withQuery(path: string, given: object): string {
  const fields = Object.entries(withoutEmpty(given)).flatMap(([name, value]): [string, string][] =>
    name === 'metadata'
      ? Object.entries(withoutEmpty(value as object)).map(([key, pair]) => [`metadata.${key}`, String(pair)])
      : [[name, value instanceof Date ? value.toISOString() : String(value)]],
  );
  return fields.length === 0 ? path : `${path}?${new URLSearchParams(fields).toString()}`;
}

/** An id as one segment of a path. */
export function toSegment(name: string, id: unknown): string {
  // An empty one would lead to another route.
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new TypeError(`${name} must be an id as the service gave it.`);
  return encodeURIComponent(id);
}

/** Undefined for what is no address of the web. */
export function webAddress(value: unknown, base?: string): URL | undefined {
  try {
    const url = new URL(value as string, base);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}
