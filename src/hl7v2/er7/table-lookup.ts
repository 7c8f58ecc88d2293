/** What a table says of a code of a message; undefined for one that it has not, whatever objects have by themselves. */
export function lookUp<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
