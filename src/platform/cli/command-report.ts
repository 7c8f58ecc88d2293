import type { CliReport } from './cli-command.js';

/** A table with a row for each view; the columns by their headings. */
export function tableReport<View>(
  views: readonly View[],
  columns: Readonly<Record<string, (view: View) => string | null>>,
): CliReport {
  const cells = Object.values(columns);
  return {
    json: views,
    text: toTextTable(
      Object.keys(columns),
      views.map((view) => cells.map((cell) => cell(view) ?? '')),
    ),
  };
}

/** One thing, a line for each fact. */
export function factReport(view: unknown, facts: Readonly<Record<string, string>>): CliReport {
  return { json: view, text: toFactList(facts) };
}

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
  const rows = Object.entries(facts);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
