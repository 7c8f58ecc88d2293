/**
 * Looks a code of a message up in a table; undefined where it is absent. Inherited properties of objects do not count.
 */
export function lookUp<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
