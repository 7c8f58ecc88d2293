/** Bytes that are no UTF-8, inside an otherwise good body. */
const NOT_UTF8 = Buffer.from('{"clinicalContext":"caf\xe9"}', 'latin1');

/** Replaces `{name}` by its value and `{repeat:x:5}` by xxxxx, in texts, and in the names and values of objects. */
export function fill<T>(value: T, names: Readonly<Record<string, string>>): T {
  if (typeof value === 'string') return fillText(value, names) as T;
  if (Array.isArray(value)) return value.map((inner: unknown) => fill(inner, names)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [fillText(name, names), fill(inner as unknown, names)]),
  ) as T;
}

/** The bytes of a body given as text. */
export function toBytes(text: string): Buffer {
  return text === '{latin1}' ? NOT_UTF8 : Buffer.from(text);
}

function fillText(text: string, names: Readonly<Record<string, string>>): string {
  return text
    .replace(/\{repeat:(.):(\d+)\}/g, (_, character: string, count: string) => character.repeat(Number(count)))
    .replace(/\{([A-Za-z]+)\}/g, (whole, name: string) => names[name] ?? whole);
}
