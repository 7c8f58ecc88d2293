import { BODY, INK, MUTED, RULE, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { BOLD, mm } from './pdf-page.js';

const PARAGRAPH_GAP_MM = 1.2;
const INDENT = mm(3.5);
/** Texts up to this length are not parted. */
const KEPT_WHOLE_LINES = 4;

const HEADLINE: TextStyle = { font: BOLD, size: 11.5, colour: INK };
const HEADINGS: Readonly<Record<2 | 3, TextStyle>> = {
  2: { font: BOLD, size: 11.5, colour: INK },
  3: { font: BOLD, size: 10, colour: INK },
};
const SHEET_HEADING: TextStyle = { font: BOLD, size: 15, colour: INK };
const NUMBER: TextStyle = { font: BOLD, size: 7.5, colour: INK };
const NUMBER_RADIUS = 5;
const NUMBER_INDENT = mm(5);

interface TextBlock {
  readonly style: TextStyle;
  /** From the left edge of the page's text. */
  readonly indent: number;
  /** A line beside the text. */
  readonly bar: string | null;
}

const PARAGRAPH: TextBlock = { style: BODY, indent: 0, bar: null };

export function drawParagraph(flow: PageFlow, text: string): void {
  drawLines(flow, text, PARAGRAPH);
}

export function drawHeadline(flow: PageFlow, text: string): void {
  drawLines(flow, text, { ...PARAGRAPH, style: HEADLINE });
}

export function drawNotice(flow: PageFlow, text: string): void {
  drawLines(flow, text, { style: STRONG, indent: INDENT, bar: MUTED });
}

/** Another's own words: set off, and broken over pages where they are long. */
export function drawQuotation(flow: PageFlow, text: string): void {
  drawLines(flow, text, { style: BODY, indent: INDENT, bar: '#b8b8b8' }, 'BlockQuote');
}

/** A section's heading; it keeps `needed` of what follows on its page. */
export function drawHeading(flow: PageFlow, text: string, level: 2 | 3, needed: number): void {
  const style = HEADINGS[level];
  const lines = flow.lines(text, style, flow.width);
  const height = lines.length * flow.lineHeight(style);
  flow.ensure(flow.loose(4) + height + mm(2) + needed);
  if (!flow.isAtTop) flow.y += flow.loose(level === 2 ? 3.6 : 3);
  const type = `H${level}`;
  flow.tagged(flow.element(type), type, () => flow.write(lines, style, flow.left, flow.y));
  flow.y += height + mm(0.6);
  flow.rule(flow.y, level === 2 ? '#6a6a6a' : RULE, 0.7);
  flow.y += flow.loose(1.6);
}

/** The name of a sheet, at the head of its page. */
export function drawSheetHeading(flow: PageFlow, text: string): void {
  const lines = flow.lines(text, SHEET_HEADING, flow.width);
  if (!flow.isAtTop) flow.y += flow.loose(5);
  flow.tagged(flow.element('H2'), 'H2', () => flow.write(lines, SHEET_HEADING, flow.left, flow.y));
  flow.y += lines.length * flow.lineHeight(SHEET_HEADING);
}

export function drawList(flow: PageFlow, items: readonly string[], numbered: boolean): void {
  const list = flow.element('L');
  items.forEach((item, index) => drawItem(flow, list, item, numbered ? index + 1 : null));
  flow.y += flow.loose(PARAGRAPH_GAP_MM);
}

/** A number is read out; a dot says nothing that the structure does not. */
function drawItem(flow: PageFlow, list: ReturnType<PageFlow['element']>, text: string, number: number | null): void {
  const indent = number === null ? INDENT : NUMBER_INDENT;
  const item = flow.element('LI', list);
  const lines = flow.lines(text, BODY, flow.width - indent);
  flow.ensure(Math.min(lines.length, KEPT_WHOLE_LINES) * flow.lineHeight(BODY));
  const middle = flow.y + flow.lineHeight(BODY) / 2;
  if (number === null) flow.artifact(() => flow.pdf.circle(flow.left + mm(1), middle, 1.1).fill(INK));
  else flow.tagged(flow.element('Lbl', item), 'Lbl', () => drawNumber(flow, number, flow.left + NUMBER_RADIUS, middle));
  const body = flow.element('LBody', item);
  drawOverPages(flow, lines, { style: BODY, indent, bar: null }, (part, y) =>
    flow.tagged(body, 'LBody', () => flow.write(part, BODY, flow.left + indent, y)),
  );
  flow.y += flow.loose(0.6);
}

/** A number in a ring: the same sign in the list of flags and on the curve. */
export function drawNumber(flow: PageFlow, number: number, x: number, y: number): void {
  flow.pdf.lineWidth(0.8).circle(x, y, NUMBER_RADIUS).fillAndStroke('#ffffff', INK);
  flow.use(NUMBER);
  const width = flow.pdf.widthOfString(String(number));
  flow.write([String(number)], NUMBER, x - width / 2, y - flow.lineHeight(NUMBER) / 2);
}

/** How high the beginning of a text is that must stand with its heading. */
export function firstLines(flow: PageFlow, text: string, strong: boolean): number {
  const style = strong ? STRONG : BODY;
  return Math.min(flow.lines(text, style, flow.width - INDENT).length, 3) * flow.lineHeight(style);
}

function drawLines(flow: PageFlow, text: string, block: TextBlock, type = 'P'): void {
  const lines = flow.lines(text, block.style, flow.width - block.indent);
  const element = flow.element(type);
  drawOverPages(flow, lines, block, (part, y) =>
    flow.tagged(element, type, () => flow.write(part, block.style, flow.left + block.indent, y)),
  );
  flow.y += flow.loose(PARAGRAPH_GAP_MM);
}

/** As many lines on each page as there is room for; neither the first nor the last line stands alone where it can be helped. */
function drawOverPages(
  flow: PageFlow,
  lines: readonly string[],
  { style, bar }: TextBlock,
  draw: (part: readonly string[], y: number) => void,
): void {
  const height = flow.lineHeight(style);
  let rest = lines;
  while (rest.length > 0) {
    flow.ensure((rest.length <= KEPT_WHOLE_LINES ? rest.length : 2) * height);
    const room = Math.floor((flow.bottom - flow.y) / height + 1e-6);
    const count = room === rest.length - 1 && room > 2 ? room - 1 : Math.min(room, rest.length);
    draw(rest.slice(0, count), flow.y);
    if (bar !== null) drawBar(flow, bar, count * height);
    flow.y += count * height;
    rest = rest.slice(count);
    if (rest.length > 0) flow.newPage();
  }
}

function drawBar(flow: PageFlow, colour: string, height: number): void {
  flow.artifact(() => flow.pdf.rect(flow.left, flow.y, mm(0.9), height).fill(colour));
}
