import { inRows, type ReportDocument, type Sheet } from '../documents/document-blocks.js';
import { speak } from '../wording/wording.js';
import { drawRow } from './draw-blocks.js';
import { drawParagraph, drawSheetHeading } from './draw-text.js';
import { drawFrames, drawTitle } from './page-frame.js';
import { BODY, PageFlow, type Extent } from './page-flow.js';
import { mm } from './pdf-page.js';

/** A page with less on it is a page too many. */
const FEWEST_LINES = 7;
/** Of a page: one that holds no more than this of what came over is filled up by the next sheet. */
const MOSTLY_EMPTY = 0.4;

/** How a sheet is set: how airy, how large its letters, and how much of each page's foot stays free. */
interface Setting {
  readonly density: number;
  readonly typeScale: number;
  readonly reserve: number;
}

const setting = (density: number, typeScale = 1, reserve = 0): Setting => ({ density, typeScale, reserve });

/** The first that keeps a sheet on one page is taken. */
const SETTINGS: readonly Setting[] = [
  ...[1, 0.85, 0.7, 0.55, 0.4].map((density) => setting(density)),
  setting(0.4, 0.95),
  setting(0.4, 0.9),
  setting(0.25, 0.9),
];
const TIGHTEST = SETTINGS.at(-1)!;
/** Where no setting does, one whose last page is not nearly empty. */
const ALTERNATIVES: readonly Setting[] = [
  ...SETTINGS,
  ...[25, 50, 75].map((millimetres) => setting(1, 1, mm(millimetres))),
];

/** A document as tagged PDF, with its fonts inside. The same document makes the same bytes. */
export function renderPdf(document: ReportDocument): Promise<Uint8Array> {
  const flow = new PageFlow(document);
  drawTitle(flow, document);
  document.sheets.forEach((sheet, index) => {
    if (index > 0 && !isFilledUpBy(flow, sheet)) flow.newPage();
    const draw = () => {
      drawSheet(flow, sheet);
      const isLast = index === document.sheets.length - 1;
      if (isLast && flow.replaced) drawParagraph(flow, speak(document.language)('about.glyphs'));
    };
    const next = document.sheets[index + 1];
    applied(flow, settingFor(flow, draw, next !== undefined && next.heading === null), draw);
  });
  drawFrames(flow, document);
  return flow.finish();
}

function drawSheet(flow: PageFlow, { heading, sections }: Sheet): void {
  if (heading !== null) drawSheetHeading(flow, heading);
  for (const row of inRows(sections)) drawRow(flow, row, heading === null ? 2 : 3);
}

/** A page that is nearly empty goes on with the next sheet; one without a name may also end on a page that it fits on. */
function isFilledUpBy(flow: PageFlow, sheet: Sheet): boolean {
  const isOverflow = flow.pdf.bufferedPageRange().count > 1 && flow.y - flow.top < MOSTLY_EMPTY * flow.pageHeight;
  if (isOverflow || sheet.heading !== null) return isOverflow;
  return flow.measure(() => drawSheet(flow, sheet)).pagesBegun === 0;
}

/** `goesOn`: the next sheet fills up the page on which this one ends. */
function settingFor(flow: PageFlow, draw: () => void, goesOn: boolean): Setting {
  const extents = new Map<Setting, Extent>();
  const extentOf = (setting: Setting) => {
    const known = extents.get(setting) ?? applied(flow, setting, () => flow.measure(draw));
    extents.set(setting, known);
    return known;
  };
  const endsWell = (setting: Setting) => extentOf(setting).y - flow.top >= FEWEST_LINES * flow.lineHeight(BODY);
  const fitting = SETTINGS.find((setting) => extentOf(setting).pagesBegun === 0);
  if (fitting !== undefined) return fitting;
  // What little comes over leaves the most room for what follows.
  if (goesOn) return TIGHTEST;
  const fewest = Math.min(...ALTERNATIVES.map((setting) => extentOf(setting).pagesBegun));
  const short = ALTERNATIVES.filter((setting) => extentOf(setting).pagesBegun === fewest);
  return short.find(endsWell) ?? ALTERNATIVES.find(endsWell) ?? SETTINGS[0]!;
}

function applied<T>(flow: PageFlow, { density, typeScale, reserve }: Setting, act: () => T): T {
  Object.assign(flow, { density, typeScale, reserve });
  const result = act();
  Object.assign(flow, { density: 1, typeScale: 1, reserve: 0 });
  return result;
}
