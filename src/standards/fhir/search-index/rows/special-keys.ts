/** Separator before each text of an element in the one row that `:text` reads: folded texts hold no line break. */
export const TEXT_PARTER = '\n';

/** The element's texts beside its codes (`:text`). */
export function textPath(key: string): string {
  return `${key}:text`;
}

/** The identifier of a reference (`:identifier`). */
export function identifierPath(key: string): string {
  return `${key}:identifier`;
}

/** The value that finds any code of a system (`system|`): no code begins with a line break. */
export function systemValue(system: string): string {
  return `\n${system}`;
}
