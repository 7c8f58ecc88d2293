import { TISSUE_TABLE } from '../../core/tissue/tissues.js';
import type { Block, TableBlock, TissueShare } from '../documents/document-blocks.js';
import { drawTable, keptHeight } from './draw-table.js';
import type { PageFlow } from './page-flow.js';
import { mm } from './pdf-page.js';

const BAR_HEIGHT = mm(6);
const BAR_GAP = mm(1.5);

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
    widths: [4, 3, 7],
  };
}

/** Lengths of the parts are the shares; the table has the figures. */
function drawBar(flow: PageFlow, shares: readonly TissueShare[]): void {
  flow.artifact(() => {
    let x = flow.left;
    for (const { tissue, share } of shares) {
      const width = flow.width * share;
      if (width > 0)
        flow.pdf
          .lineWidth(0.5)
          .rect(x, flow.y, width, BAR_HEIGHT)
          .fillAndStroke(TISSUE_TABLE[tissue].colour, '#444444');
      x += width;
    }
  });
  flow.y += BAR_HEIGHT + BAR_GAP;
}
