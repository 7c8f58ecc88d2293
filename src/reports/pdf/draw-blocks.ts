import type { Block, ColumnsBlock, Section } from '../documents/document-blocks.js';
import { bodyMapHeight, drawBodyMap } from './draw-body-map.js';
import { chartHeight, drawChart } from './draw-chart.js';
import { drawPictures, picturesHeight } from './draw-pictures.js';
import { drawShares, sharesHeight } from './draw-shares.js';
import { drawFacts, drawTable, keptHeight } from './draw-table.js';
import {
  drawHeading,
  drawHeadline,
  drawList,
  drawNotice,
  drawParagraph,
  drawQuotation,
  firstLines,
} from './draw-text.js';
import { drawTiles } from './draw-tiles.js';
import type { PageFlow } from './page-flow.js';
import { mm } from './pdf-page.js';

/** So much of a section stays with its heading. */
const FEW_LINES = mm(14);
const COLUMN_GAP = mm(6);
/** Above a heading. */
const SECTION_GAP = mm(4);

/** Neighbours that are narrow stand beside each other, in one piece, where a page has room for both. */
export function drawRow(flow: PageFlow, row: readonly Section[], level: 2 | 3): void {
  const [left, right] = row;
  if (right === undefined) {
    drawSection(flow, left!, level);
    return;
  }
  const draw = (section: Section) => () => drawSection(flow, section, level);
  drawBesides(flow, draw(left!), draw(right), 0.5, SECTION_GAP);
}

function drawSection(flow: PageFlow, { heading, blocks }: Section, level: 2 | 3): void {
  drawHeading(flow, heading, level, blocks[0] === undefined ? 0 : keptWithHeading(flow, blocks[0]));
  drawBlocks(flow, blocks);
}

function drawBlocks(flow: PageFlow, blocks: readonly Block[]): void {
  for (const block of blocks) drawBlock(flow, block);
}

/** What of a section's first block must not be parted from its heading. */
function keptWithHeading(flow: PageFlow, block: Block): number {
  switch (block.kind) {
    case 'pictures':
      return picturesHeight(flow, block.pictures, block.columns);
    case 'chart':
      return chartHeight(flow);
    case 'bodyMap':
      return bodyMapHeight(flow);
    case 'shares':
      return sharesHeight(flow, block);
    case 'table':
      return keptHeight(flow, block);
    case 'tiles':
      return flow.heightOf(() => drawTiles(flow, block.tiles));
    case 'columns':
      return Math.min(columnsHeight(flow, block), flow.pageHeight / 2);
    case 'paragraph':
    case 'quotation':
      return firstLines(flow, block.text, false);
    case 'headline':
    case 'notice':
      return firstLines(flow, block.text, true);
    case 'list':
    case 'numbered':
    case 'facts':
      return FEW_LINES;
  }
}

function drawBlock(flow: PageFlow, block: Block): void {
  switch (block.kind) {
    case 'paragraph':
      return drawParagraph(flow, block.text);
    case 'headline':
      return drawHeadline(flow, block.text);
    case 'notice':
      return drawNotice(flow, block.text);
    case 'quotation':
      return drawQuotation(flow, block.text);
    case 'list':
      return drawList(flow, block.items, false);
    case 'numbered':
      return drawList(flow, block.items, true);
    case 'tiles':
      return drawTiles(flow, block.tiles);
    case 'facts':
      return drawFacts(flow, block.facts, block.compact);
    case 'table':
      return drawTable(flow, block);
    case 'shares':
      return drawShares(flow, block);
    case 'pictures':
      return drawPictures(flow, block.pictures, block.columns);
    case 'bodyMap':
      return drawBodyMap(flow, block.map);
    case 'chart':
      return drawChart(flow, block.chart);
    case 'columns':
      return drawColumns(flow, block);
  }
}

/** Beside each other, in one piece; one after the other where a page has no room for that. */
function drawColumns(flow: PageFlow, { left, right, leftShare }: ColumnsBlock): void {
  drawBesides(
    flow,
    () => drawBlocks(flow, left),
    () => drawBlocks(flow, right),
    leftShare,
  );
}

function columnsHeight(flow: PageFlow, block: ColumnsBlock): number {
  return flow.heightOf(() => drawColumns(flow, block));
}

/** `gap`: of the heights of both, that above them is drawn as well. */
function drawBesides(flow: PageFlow, left: () => void, right: () => void, leftShare: number, gap = 0): void {
  const leftWidth = (flow.width - COLUMN_GAP) * leftShare;
  const rightLeft = flow.left + leftWidth + COLUMN_GAP;
  const columns = [
    { left: flow.left, width: leftWidth, draw: left },
    { left: rightLeft, width: flow.left + flow.width - rightLeft, draw: right },
  ];
  const heights = columns.map((column) => flow.heightOf(() => flow.within(column.left, column.width, column.draw)));
  const height = Math.max(...heights) + gap;
  if (height > flow.pageHeight) {
    left();
    right();
    return;
  }
  flow.ensure(height);
  const top = flow.y;
  const bottoms = columns.map((column) => {
    flow.y = top;
    flow.within(column.left, column.width, column.draw);
    return flow.y;
  });
  flow.y = Math.max(...bottoms);
}
