import type { Fact, TableBlock } from '../documents/document-blocks.js';
import { INK, MUTED, RULE, type PageFlow, type TextStyle } from './page-flow.js';
import { BOLD, mm, REGULAR } from './pdf-page.js';

const PADDING = mm(0.8);
const GAP = mm(3);
const LABEL: TextStyle = { font: REGULAR, size: 9, colour: MUTED };
const VALUE: TextStyle = { font: BOLD, size: 9, colour: INK };
const HEAD: TextStyle = { font: BOLD, size: 8.5, colour: INK };

type Structure = ReturnType<PageFlow['element']>;

/** How a cell of a row is read and written. */
interface Column {
  readonly width: number;
  readonly header: boolean;
}

/** A table whose head is repeated on each page; rows stay whole where a page has room for them. */
export function drawTable(flow: PageFlow, { columns, rows, widths }: TableBlock): void {
  const shares = widths.reduce((sum, width) => sum + width, 0);
  const layout = widths.map((width, index): Column => ({ width: (flow.width * width) / shares, header: index === 0 }));
  const table = flow.element('Table');
  const head = columns.map((text, index) => flow.lines(text, HEAD, layout[index]!.width - GAP));
  const headHeight = heightOf(flow, head, HEAD);
  const first = rows[0] === undefined ? 0 : heightOf(flow, rowLines(flow, rows[0], layout), VALUE);
  flow.ensure(headHeight + first);
  drawHead(flow, head, layout, table);
  for (const row of rows) {
    drawRow(flow, rowLines(flow, row, layout), layout, table, () => drawHead(flow, head, layout, null));
  }
  flow.y += mm(1.5);
}

/** Labels and what they say, one below the other or, where there is room, two beside each other. */
export function drawFacts(flow: PageFlow, facts: readonly Fact[], compact: boolean): void {
  const half = flow.width / 2;
  const pair: Column[] = [{ width: half * 0.42, header: true }, { width: half * 0.58, header: false }];
  const layout = compact ? [...pair, ...pair] : [{ width: flow.width * 0.42, header: true }, { width: flow.width * 0.58, header: false }];
  const table = flow.element('Table');
  const perRow = compact ? 2 : 1;
  for (let index = 0; index < facts.length; index += perRow) {
    const cells = facts.slice(index, index + perRow).flatMap(({ label, value }) => [label, value]);
    drawRow(flow, rowLines(flow, cells, layout), layout, table, () => undefined);
  }
  flow.y += mm(1.5);
}

function rowLines(flow: PageFlow, cells: readonly string[], layout: readonly Column[]): string[][] {
  return cells.map((cell, index) => flow.lines(cell, layout[index]!.header ? LABEL : VALUE, layout[index]!.width - GAP));
}

function heightOf(flow: PageFlow, cells: readonly (readonly string[])[], style: TextStyle): number {
  return Math.max(...cells.map((lines) => lines.length)) * flow.lineHeight(style) + 2 * PADDING;
}

/** Without a table it repeats a head that was read out before. */
function drawHead(flow: PageFlow, head: readonly (readonly string[])[], layout: readonly Column[], table: Structure | null): void {
  const row = table === null ? null : flow.element('TR', table);
  let x = flow.left;
  head.forEach((lines, index) => {
    const [left, top] = [x, flow.y + PADDING];
    const draw = () => flow.write(lines, HEAD, left, top);
    if (row === null) flow.artifact(draw);
    else flow.tagged(flow.element('TH', row, { scope: 'Column' }), 'TH', draw);
    x += layout[index]!.width;
  });
  flow.y += heightOf(flow, head, HEAD);
  flow.rule(flow.y, MUTED, 0.8);
}

/** A row higher than a page is cut into parts. */
function drawRow(flow: PageFlow, cells: readonly (readonly string[])[], layout: readonly Column[], table: Structure, onNewPage: () => void): void {
  const most = Math.floor((flow.pageHeight - mm(15)) / flow.lineHeight(VALUE));
  const length = Math.max(...cells.map((lines) => lines.length));
  for (let start = 0; start < length; start += most) {
    const part = cells.map((lines) => lines.slice(start, start + most));
    const height = heightOf(flow, part, VALUE);
    if (flow.ensure(height)) onNewPage();
    drawCells(flow, part, layout, flow.element('TR', table));
    flow.y += height;
    flow.rule(flow.y, RULE, 0.4);
  }
}

function drawCells(flow: PageFlow, cells: readonly (readonly string[])[], layout: readonly Column[], row: Structure): void {
  let x = flow.left;
  cells.forEach((lines, index) => {
    const { width, header } = layout[index]!;
    const [left, top] = [x, flow.y + PADDING];
    const [type, style] = header ? (['TH', LABEL] as const) : (['TD', VALUE] as const);
    flow.tagged(flow.element(type, row, header ? { scope: 'Row' } : {}), type, () => flow.write(lines, style, left, top));
    x += width;
  });
}
