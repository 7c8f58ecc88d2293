/** Rows under a heading, columns as wide as their longest text. */
export function toTextTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One fact per line, the values in one column. */
export function toFactList(facts: Readonly<Record<string, string>>): string {
  return toTextTableWithoutHeading(Object.entries(facts));
}

function toTextTableWithoutHeading(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
