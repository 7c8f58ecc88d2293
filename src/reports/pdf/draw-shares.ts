import { TISSUE_TABLE, type Tissue } from '../../core/tissue/tissues.js';
import type { Block, TableBlock, TissueShare } from '../documents/document-blocks.js';
import { patternInk, patternMarks } from '../documents/tissue-pattern.js';
import { drawTable, keptHeight } from './draw-table.js';
import type { PageFlow } from './page-flow.js';
import { mm } from './pdf-page.js';

const BAR_HEIGHT = mm(6);
const BAR_GAP = mm(1.5);
/** Of a pattern. */
const PERIOD = mm(1.15);

type SharesBlock = Extract<Block, { kind: 'shares' }>;

/** One bar of the whole wound bed, and the table of its shares. */
export function drawShares(flow: PageFlow, block: SharesBlock): void {
  flow.ensure(sharesHeight(flow, block));
  drawBar(flow, block.shares);
  drawTable(flow, tableOf(block));
}

export function sharesHeight(flow: PageFlow, block: SharesBlock): number {
  return BAR_HEIGHT + BAR_GAP + keptHeight(flow, tableOf(block));
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

/** A rectangle in the colour and pattern that the tissue map has for it. */
export function drawSwatch(
  { pdf }: PageFlow,
  tissue: Tissue,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
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
