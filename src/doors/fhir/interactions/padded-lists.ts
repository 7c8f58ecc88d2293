type Held = Record<string, unknown>;

/**
 * The resource with each list of primitives as long as that of their extensions, and the other way round: R4 pads the shorter with null
 * (json.html 2.6.2.1), and a reader that counts would join an extension to another value. What needs no change is not copied.
 */
export function withPaddedLists<T>(value: T): T {
  return padded(value) as T;
}

function padded(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(padded);
    return items.some((each, index) => each !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const held = value as Held;
  let copy: Held | null = null;
  for (const [name, inner] of Object.entries(held)) {
    const beside = name.startsWith('_') ? held[name.slice(1)] : held[`_${name}`];
    const next =
      Array.isArray(inner) && Array.isArray(beside)
        ? lengthened(padded(inner) as unknown[], beside.length)
        : padded(inner);
    if (next !== inner) (copy ??= { ...held })[name] = next;
  }
  return copy ?? value;
}

function lengthened(list: unknown[], length: number): unknown[] {
  return list.length >= length ? list : [...list, ...Array.from({ length: length - list.length }, () => null)];
}
