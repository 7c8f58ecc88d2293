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

export function drawSection(flow: PageFlow, { heading, blocks }: Section, level: 2 | 3): void {
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
      return picturesHeight(flow, block.pictures);
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
    default:
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
      return drawPictures(flow, block.pictures);
    case 'bodyMap':
      return drawBodyMap(flow, block.map);
    case 'chart':
      return drawChart(flow, block.chart);
    case 'columns':
      return drawColumns(flow, block);
  }
}

interface Column {
  readonly blocks: readonly Block[];
  readonly left: number;
  readonly width: number;
}

function columnsOf(flow: PageFlow, { left, right, leftShare }: ColumnsBlock): readonly [Column, Column] {
  const width = (flow.width - COLUMN_GAP) * leftShare;
  const rightLeft = flow.left + width + COLUMN_GAP;
  return [
    { blocks: left, left: flow.left, width },
    { blocks: right, left: rightLeft, width: flow.left + flow.width - rightLeft },
  ];
}

function columnsHeight(flow: PageFlow, block: ColumnsBlock): number {
  return Math.max(...columnsOf(flow, block).map((column) => columnHeight(flow, column)));
}

function columnHeight(flow: PageFlow, { blocks, left, width }: Column): number {
  return flow.heightOf(() => flow.within(left, width, () => drawBlocks(flow, blocks)));
}

/** Beside each other, in one piece; one after the other where a page has no room for that. */
function drawColumns(flow: PageFlow, block: ColumnsBlock): void {
  const height = columnsHeight(flow, block);
  if (height > flow.pageHeight) {
    drawBlocks(flow, [...block.left, ...block.right]);
    return;
  }
  flow.ensure(height);
  const top = flow.y;
  for (const { blocks, left, width } of columnsOf(flow, block)) {
    flow.y = top;
    flow.within(left, width, () => drawBlocks(flow, blocks));
  }
  flow.y = top + height;
}
