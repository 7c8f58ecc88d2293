import { TISSUE_TABLE, type Tissue } from '../../core/tissue/tissues.js';
import type { Block, TableBlock, TissueShare } from '../documents/document-blocks.js';
import { patternInk, patternMarks } from '../documents/tissue-pattern.js';
import { drawTable, keptHeight } from './draw-table.js';
import { BODY, type PageFlow, type TextStyle } from './page-flow.js';
import { mm } from './pdf-page.js';

const BAR_HEIGHT = mm(6);
const BAR_GAP = mm(1.5);
const SWATCH = { width: mm(6), height: mm(3.4) };
const ROW_HEIGHT = mm(4.8);
/** Of a pattern. */
const PERIOD = mm(1.15);
const LEGEND: TextStyle = { ...BODY, size: 8.5 };

type SharesBlock = Extract<Block, { kind: 'shares' }>;

/** One bar of the whole wound bed, what its colours and patterns mean, and the table of its shares. */
export function drawShares(flow: PageFlow, block: SharesBlock): void {
  flow.ensure(sharesHeight(flow, block));
  drawBar(flow, block.shares);
  drawLegend(flow, block.shares);
  drawTable(flow, tableOf(block));
}

export function sharesHeight(flow: PageFlow, block: SharesBlock): number {
  return BAR_HEIGHT + BAR_GAP + legendHeight(flow, block.shares) + keptHeight(flow, tableOf(block));
}

function tableOf({ columns, shares }: SharesBlock): TableBlock {
  return {
    kind: 'table',
    columns,
    rows: shares.map(({ label, shareText, method }) => [label, shareText, method]),
    widths: [5, 3, 6],
  };
}

/** Lengths of the parts are the shares; the table has the figures. */
function drawBar(flow: PageFlow, shares: readonly TissueShare[]): void {
  flow.artifact(() => {
    let x = flow.left;
    for (const { tissue, share } of shares) {
      const width = flow.width * share;
      if (width > 0) drawSwatch(flow, tissue, x, flow.y, width, BAR_HEIGHT);
      x += width;
    }
  });
  flow.y += BAR_HEIGHT + BAR_GAP;
}

interface LegendItem {
  readonly share: TissueShare;
  readonly x: number;
  readonly row: number;
}

/** As many beside each other as the width holds. */
function placeLegend(flow: PageFlow, shares: readonly TissueShare[]): LegendItem[] {
  flow.use(LEGEND);
  let [x, row] = [0, 0];
  return shares.map((share) => {
    const width = SWATCH.width + mm(1.2) + flow.pdf.widthOfString(share.label) + mm(4);
    if (x > 0 && x + width - mm(4) > flow.width) [x, row] = [0, row + 1];
    const item = { share, x: flow.left + x, row };
    x += width;
    return item;
  });
}

function legendHeight(flow: PageFlow, shares: readonly TissueShare[]): number {
  const last = placeLegend(flow, shares).at(-1);
  return last === undefined ? 0 : (last.row + 1) * ROW_HEIGHT + BAR_GAP / 2;
}

function drawLegend(flow: PageFlow, shares: readonly TissueShare[]): void {
  const height = legendHeight(flow, shares);
  // The table below says the same to those who do not see the colours.
  flow.artifact(() => {
    for (const { share, x, row } of placeLegend(flow, shares)) {
      const y = flow.y + row * ROW_HEIGHT;
      drawSwatch(flow, share.tissue, x, y, SWATCH.width, SWATCH.height);
      flow.write([share.label], LEGEND, x + SWATCH.width + mm(1.2), y + (SWATCH.height - flow.lineHeight(LEGEND)) / 2);
    }
  });
  flow.y += height;
}

/** A rectangle in the colour and pattern that the tissue map has for it. */
function drawSwatch({ pdf }: PageFlow, tissue: Tissue, x: number, y: number, width: number, height: number): void {
  const { colour, pattern } = TISSUE_TABLE[tissue];
  const { lines, dots } = patternMarks(pattern, width, height, PERIOD);
  const ink = patternInk(colour);
  pdf.rect(x, y, width, height).fill(colour);
  pdf.lineWidth(0.5).strokeColor(ink);
  for (const [from, to] of lines)
    pdf
      .moveTo(x + from[0], y + from[1])
      .lineTo(x + to[0], y + to[1])
      .stroke();
  for (const [dotX, dotY] of dots) pdf.circle(x + dotX, y + dotY, 0.6).fill(ink);
  pdf.lineWidth(0.5).rect(x, y, width, height).stroke('#444444');
}
