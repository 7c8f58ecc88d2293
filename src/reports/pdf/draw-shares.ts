import type { Tissue } from '../../core/analysis/wound-result.js';
import type { Block, TissueShare } from '../documents/document-blocks.js';
import { drawTable } from './draw-table.js';
import type { PageFlow } from './page-flow.js';
import { mm } from './pdf-page.js';

/** Told apart in grey as well: from middle grey over light and black to nearly white. */
const COLOURS: Readonly<Record<Tissue, string>> = { granulation: '#b5473c', slough: '#e3c65a', necrosis: '#222222', other: '#dfe5e9' };
const BAR_HEIGHT = mm(6);

/** One bar of the whole wound bed, and the table of its shares. */
export function drawShares(flow: PageFlow, { columns, shares }: Extract<Block, { kind: 'shares' }>): void {
  flow.ensure(BAR_HEIGHT + mm(32));
  drawBar(flow, shares);
  drawTable(flow, { kind: 'table', columns, rows: shares.map(({ label, shareText, method }) => [label, shareText, method]), widths: [4, 4, 6] });
}

/** Lengths of the parts are the shares; the table has the figures. */
function drawBar(flow: PageFlow, shares: readonly TissueShare[]): void {
  flow.artifact(() => {
    let x = flow.left;
    for (const { tissue, share } of shares) {
      const width = flow.width * share;
      if (width > 0) flow.pdf.lineWidth(0.5).rect(x, flow.y, width, BAR_HEIGHT).fillAndStroke(COLOURS[tissue], '#444444');
      x += width;
    }
  });
  flow.y += BAR_HEIGHT + mm(1.5);
}
