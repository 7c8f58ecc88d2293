import type { CliReport } from './cli-command.js';
import { toFactList, toTextTable } from './text-table.js';

/** A row for each view; the columns by their headings. */
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
