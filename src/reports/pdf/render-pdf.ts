import type { Block, ReportDocument, Section } from '../documents/document-blocks.js';
import { speak } from '../wording/wording.js';
import { CHART_HEIGHT, drawChart } from './draw-chart.js';
import { drawPictures, picturesHeight } from './draw-pictures.js';
import { drawShares, sharesHeight } from './draw-shares.js';
import { drawFacts, drawTable, keptHeight } from './draw-table.js';
import { drawHeading, drawHeadline, drawList, drawNotice, drawParagraph, drawQuotation } from './draw-text.js';
import { drawFrames, drawTitle } from './page-frame.js';
import { PageFlow } from './page-flow.js';
import { mm } from './pdf-page.js';

/** So much of a section stays with its heading. */
const FEW_LINES = mm(14);

/** A document as tagged PDF on A4, with its fonts inside. The same document makes the same bytes. */
export function renderPdf(document: ReportDocument): Promise<Uint8Array> {
  const flow = new PageFlow(document);
  drawTitle(flow, document);
  for (const section of document.sections) drawSection(flow, section);
  if (flow.replaced) drawParagraph(flow, speak(document.language)('about.glyphs'));
  drawFrames(flow, document);
  return flow.finish();
}

function drawSection(flow: PageFlow, { heading, blocks }: Section): void {
  drawHeading(flow, heading, blocks[0] === undefined ? 0 : firstHeight(flow, blocks[0]));
  for (const block of blocks) drawBlock(flow, block);
}

function firstHeight(flow: PageFlow, block: Block): number {
  switch (block.kind) {
    case 'pictures':
      return picturesHeight(flow, block.pictures);
    case 'chart':
      return CHART_HEIGHT;
    case 'shares':
      return sharesHeight(flow, block);
    case 'table':
      return keptHeight(flow, block);
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
      return drawList(flow, block.items);
    case 'facts':
      return drawFacts(flow, block.facts, block.compact);
    case 'table':
      return drawTable(flow, block);
    case 'shares':
      return drawShares(flow, block);
    case 'pictures':
      return drawPictures(flow, block.pictures);
    case 'chart':
      return drawChart(flow, block.chart);
  }
}
