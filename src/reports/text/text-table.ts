import { columnsOf, padTo, wrapText } from './wrap-text.js';

const GAP = 2;
const INDENT = '  ';
/** A table in a fixed-width font, its cells wrapped where it would be too wide; one that is too wide even so is told row by row. */
export function textTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  colon: string,
): string[] {
  const widths = fittingWidths([columns, ...rows], width);
  if (widths === null) return rows.flatMap((row) => recordOf(columns, row, width, colon));
  const total = widths.reduce((sum, each) => sum + each + GAP, -GAP);
  return [...rowLines(columns, widths), '-'.repeat(total), ...rows.flatMap((row) => rowLines(row, widths))];
}

/** The widest columns give way first, but no word is cut; null where that is not enough. */
function fittingWidths(rows: readonly (readonly string[])[], width: number): number[] | null {
  const widest = (parts: (cell: string) => string[]) =>
    rows[0]!.map((_, column) => Math.max(...rows.flatMap((row) => parts(row[column] ?? '').map(columnsOf))));
  const widths = widest((cell) => [cell]);
  const least = widest((cell) => cell.split(' '));
  let excess = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  for (; excess > 0; excess -= 1) {
    const spare = widths.map((each, column) => (each > least[column]! ? each : 0));
    if (Math.max(...spare) === 0) return null;
    widths[spare.indexOf(Math.max(...spare))]! -= 1;
  }
  return widths;
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrapText(cell, widths[column]!));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => padTo(lines[line] ?? '', widths[column]!))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** The first column as a line of its own, the others below it. */
function recordOf(
  columns: readonly string[],
  [name, ...cells]: readonly string[],
  width: number,
  colon: string,
): string[] {
  const told = cells.flatMap((cell, index) =>
    hanging(`${columns[index + 1]}${colon}`, cell, width - INDENT.length).map((line) => INDENT + line),
  );
  return [...wrapText(name ?? '', width), ...told];
}

/** A label and its text, whose further lines are indented. */
export function hanging(label: string, text: string, width: number): string[] {
  const [first, ...rest] = wrapText(`${label}${text}`, width);
  const narrower = wrapText(rest.join(' '), width - INDENT.length);
  return rest.length === 0 ? [first!] : [first!, ...narrower.map((line) => INDENT + line)];
}
