/** The search for resources that carry any of these identifiers. */
export function identifierCriteria(
  identifiers: readonly { readonly system: string; readonly value: string }[],
): string {
  return new URLSearchParams({
    identifier: identifiers.map(({ system, value }) => `${escaped(system)}|${escaped(value)}`).join(','),
  }).toString();
}

/** R4 search.html 3.1.1.4.2. */
function escaped(text: string): string {
  return text.replace(/[\\,|$]/g, (sign) => `\\${sign}`);
}
