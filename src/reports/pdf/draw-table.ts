import type { Fact, TableBlock } from '../documents/document-blocks.js';
import { INK, MUTED, RULE, type PageFlow, type TextStyle } from './page-flow.js';
import { BOLD, mm, REGULAR } from './pdf-page.js';

const PADDING_MM = 0.8;
/** Two facts beside each other need so much. */
const NARROWEST_PAIRS = mm(120);
const GAP = mm(3);
/** Tables up to this height are not parted. */
const KEPT_WHOLE = mm(90);
const SIZE = 9;
const SMALL_SIZE = 7.8;
/** From here on letters are small. */
const MANY_COLUMNS = 5;

type Structure = ReturnType<PageFlow['element']>;
/** Lines of each cell of a row. */
type Row = readonly (readonly string[])[];

interface Column {
  readonly width: number;
  /** Names its row. */
  readonly header: boolean;
}

interface Layout {
  readonly columns: readonly Column[];
  readonly label: TextStyle;
  readonly value: TextStyle;
  readonly head: TextStyle;
}

interface MeasuredTable {
  readonly layout: Layout;
  readonly head: Row;
  readonly rows: readonly Row[];
}

/** A table whose head is repeated on each page; small ones stay whole, and rows where a page has room for them. */
export function drawTable(flow: PageFlow, block: TableBlock): void {
  const measured = measure(flow, block);
  const table = flow.element('Table');
  flow.ensure(heightToKeep(flow, measured));
  drawHead(flow, measured, table);
  for (const row of measured.rows) drawRow(flow, row, measured.layout, table, () => drawHead(flow, measured, null));
  flow.y += flow.loose(1.5);
}

/** The part of a table that must fit where it begins. */
export function keptHeight(flow: PageFlow, block: TableBlock): number {
  return heightToKeep(flow, measure(flow, block));
}

/** Labels and what they say, one below the other or, where there is room, two beside each other. */
export function drawFacts(flow: PageFlow, facts: readonly Fact[], wantsPairs: boolean): void {
  const compact = wantsPairs && flow.width >= NARROWEST_PAIRS;
  const half = flow.width / 2;
  const labelShare = flow.width >= NARROWEST_PAIRS ? 0.55 : 0.42;
  const pair = (label: number, value: number): Column[] => [
    { width: label, header: true },
    { width: value, header: false },
  ];
  const columns = compact
    ? [...pair(half * 0.42, half * 0.58), ...pair(half * 0.42, half * 0.58)]
    : pair(flow.width * labelShare, flow.width * (1 - labelShare));
  const layout = layoutOf(columns, SIZE);
  const table = flow.element('Table');
  const perRow = compact ? 2 : 1;
  for (let index = 0; index < facts.length; index += perRow) {
    const cells = facts.slice(index, index + perRow).flatMap(({ label, value }) => [label, flow.printed(value)]);
    drawRow(flow, rowOf(flow, cells, layout), layout, table, () => undefined);
  }
  flow.y += flow.loose(1.5);
}

function measure(flow: PageFlow, { columns, rows, widths }: TableBlock): MeasuredTable {
  const shares = widths.reduce((sum, width) => sum + width, 0);
  const placed = widths.map((width, index): Column => ({ width: (flow.width * width) / shares, header: index === 0 }));
  const isCrowded = columns.length >= MANY_COLUMNS || flow.width < NARROWEST_PAIRS;
  const layout = layoutOf(placed, isCrowded ? SMALL_SIZE : SIZE);
  const head = columns.map((text, index) => flow.lines(text, layout.head, placed[index]!.width - GAP));
  return { layout, head, rows: rows.map((row) => rowOf(flow, row, layout)) };
}

function layoutOf(columns: readonly Column[], size: number): Layout {
  return {
    columns,
    label: { font: REGULAR, size, colour: MUTED },
    value: { font: BOLD, size, colour: INK },
    head: { font: BOLD, size: Math.min(size, 8.5), colour: INK },
  };
}

function rowOf(flow: PageFlow, cells: readonly string[], { columns, label, value }: Layout): Row {
  return cells.map((cell, index) =>
    flow.lines(cell, columns[index]!.header ? label : value, columns[index]!.width - GAP),
  );
}

function heightToKeep(flow: PageFlow, { layout, head, rows }: MeasuredTable): number {
  const headHeight = heightOf(flow, head, layout.head);
  const heights = rows.map((row) => heightOf(flow, row, layout.value));
  const whole = heights.reduce((sum, height) => sum + height, headHeight);
  return whole <= KEPT_WHOLE ? whole : headHeight + Math.min(heights[0]!, KEPT_WHOLE);
}

function heightOf(flow: PageFlow, row: Row, style: TextStyle): number {
  return Math.max(...row.map((lines) => lines.length)) * flow.lineHeight(style) + 2 * flow.loose(PADDING_MM);
}

/** Without a table it repeats a head that was read out before. */
function drawHead(flow: PageFlow, { head, layout }: MeasuredTable, table: Structure | null): void {
  const row = table === null ? null : flow.element('TR', table);
  let x = flow.left;
  head.forEach((lines, index) => {
    const [left, top] = [x, flow.y + flow.loose(PADDING_MM)];
    const draw = () => flow.write(lines, layout.head, left, top);
    if (row === null) flow.artifact(draw);
    else flow.tagged(flow.element('TH', row, { scope: 'Column' }), 'TH', draw);
    x += layout.columns[index]!.width;
  });
  flow.y += heightOf(flow, head, layout.head);
  flow.rule(flow.y, MUTED, 0.8);
}

/** A row higher than a page is cut into parts. */
function drawRow(flow: PageFlow, row: Row, layout: Layout, table: Structure, onNewPage: () => void): void {
  const most = Math.floor((flow.pageHeight - mm(25)) / flow.lineHeight(layout.value));
  const length = Math.max(...row.map((lines) => lines.length));
  for (let start = 0; start < length; start += most) {
    const part = row.map((lines) => lines.slice(start, start + most));
    const height = heightOf(flow, part, layout.value);
    if (flow.ensure(height)) onNewPage();
    drawCells(flow, part, layout, flow.element('TR', table));
    flow.y += height;
    flow.rule(flow.y, RULE, 0.4);
  }
}

function drawCells(flow: PageFlow, cells: Row, { columns, label, value }: Layout, row: Structure): void {
  let x = flow.left;
  cells.forEach((lines, index) => {
    const { width, header } = columns[index]!;
    const [left, top] = [x, flow.y + flow.loose(PADDING_MM)];
    const [type, style] = header ? (['TH', label] as const) : (['TD', value] as const);
    flow.tagged(flow.element(type, row, header ? { scope: 'Row' } : {}), type, () =>
      flow.write(lines, style, left, top),
    );
    x += width;
  });
}
