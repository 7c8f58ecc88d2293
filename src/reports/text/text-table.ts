import { columnsOf, padTo, wrapText } from './wrap-text.js';

const GAP = 2;
const INDENT = '  ';

/** A table in a fixed-width font; one that is too wide is told row by row. */
export function textTable(columns: readonly string[], rows: readonly (readonly string[])[], width: number, colon: string): string[] {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => columnsOf(row[column] ?? ''))));
  const total = widths.reduce((sum, each) => sum + each + GAP, -GAP);
  if (total > width) return rows.flatMap((row) => recordOf(columns, row, width, colon));
  const lineOf = (row: readonly string[]) => row.map((cell, column) => padTo(cell, widths[column]!)).join(' '.repeat(GAP)).trimEnd();
  return [lineOf(columns), '-'.repeat(total), ...rows.map(lineOf)];
}

/** The first column as a line of its own, the others below it. */
function recordOf(columns: readonly string[], [name, ...cells]: readonly string[], width: number, colon: string): string[] {
  const told = cells.flatMap((cell, index) => hanging(`${columns[index + 1]}${colon}`, cell, width - INDENT.length).map((line) => INDENT + line));
  return [...wrapText(name ?? '', width), ...told];
}

/** A label and its text, whose further lines are indented. */
export function hanging(label: string, text: string, width: number): string[] {
  const [first, ...rest] = wrapText(`${label}${text}`, width);
  const narrower = wrapText(rest.join(' '), width - INDENT.length);
  return rest.length === 0 ? [first!] : [first!, ...narrower.map((line) => INDENT + line)];
}
