import { BODY, INK, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { BOLD, mm } from './pdf-page.js';

const PARAGRAPH_GAP = mm(1.2);
const INDENT = mm(3.5);

const HEADLINE: TextStyle = { font: BOLD, size: 12, colour: INK };
const HEADING: TextStyle = { font: BOLD, size: 12, colour: INK };

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
export function drawHeading(flow: PageFlow, text: string, needed: number): void {
  const lines = flow.lines(text, HEADING, flow.width);
  const height = lines.length * flow.lineHeight(HEADING);
  flow.ensure(mm(4) + height + mm(2) + needed);
  if (flow.y > flow.top) flow.y += mm(4);
  const heading = flow.element('H2');
  flow.tagged(heading, 'H2', () => flow.write(lines, HEADING, flow.left, flow.y));
  flow.y += height + mm(0.6);
  flow.rule(flow.y, '#6a6a6a', 0.7);
  flow.y += mm(1.8);
}

export function drawList(flow: PageFlow, items: readonly string[]): void {
  const list = flow.element('L');
  for (const item of items) {
    const body = flow.element('LBody', flow.element('LI', list));
    const lines = flow.lines(item, BODY, flow.width - INDENT);
    flow.ensure(Math.min(lines.length, 2) * flow.lineHeight(BODY));
    // The dot says nothing that the structure does not.
    flow.artifact(() => flow.pdf.circle(flow.left + mm(1), flow.y + flow.lineHeight(BODY) / 2, 1.1).fill(INK));
    drawOverPages(flow, lines, { style: BODY, indent: INDENT, bar: null }, (part, y) =>
      flow.tagged(body, 'LBody', () => flow.write(part, BODY, flow.left + INDENT, y)),
    );
    flow.y += mm(0.6);
  }
  flow.y += PARAGRAPH_GAP;
}

function drawLines(flow: PageFlow, text: string, block: TextBlock, type = 'P'): void {
  const lines = flow.lines(text, block.style, flow.width - block.indent);
  const element = flow.element(type);
  drawOverPages(flow, lines, block, (part, y) =>
    flow.tagged(element, type, () => flow.write(part, block.style, flow.left + block.indent, y)),
  );
  flow.y += PARAGRAPH_GAP;
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
    flow.ensure(Math.min(rest.length, 2) * height);
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
