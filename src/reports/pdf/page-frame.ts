import type { ReportDocument } from '../documents/document-blocks.js';
import { PAPER_TABLE } from '../documents/paper.js';
import { speak } from '../wording/wording.js';
import { BODY, INK, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { BOLD, mm } from './pdf-page.js';
import { fitLine } from './text-lines.js';
import { toPrintable } from './printable-text.js';

const TITLE: TextStyle = { font: BOLD, size: 17, colour: INK };
const SMALL: TextStyle = { ...BODY, size: 8, colour: MUTED };
const MARK: TextStyle = { ...STRONG, size: 9, colour: '#5c1212' };
const SMALLEST = 6;
/** A name of which no sign can be printed, or a part of it. */
const UNPRINTED = /\ufffd(?:[\s,]*\ufffd)*/g;
const MARK_TOP = mm(8);
const MARK_HEIGHT = mm(7);

/** Title and status, on the first page. */
export function drawTitle(flow: PageFlow, { title, banner, mark }: ReportDocument): void {
  flow.y = mm(mark === null ? 13 : 17.5);
  const lines = flow.lines(title, TITLE, flow.width);
  flow.tagged(flow.element('H1'), 'H1', () => flow.write(lines, TITLE, flow.left, flow.y));
  flow.y += lines.length * flow.lineHeight(TITLE) + mm(1.5);
  const inner = flow.width - mm(6);
  const [label, text] = [
    flow.lines(banner.label, STRONG, inner),
    banner.lines.flatMap((line) => flow.lines(line, BODY, inner)),
  ];
  const height = mm(3) + (label.length + text.length) * flow.lineHeight(BODY);
  flow.artifact(() =>
    flow.pdf.lineWidth(0.7).rect(flow.left, flow.y, flow.width, height).fillAndStroke('#f2f2f2', '#8a8a8a'),
  );
  flow.tagged(flow.element('P'), 'P', () => {
    flow.write(label, STRONG, flow.left + mm(3), flow.y + mm(1.5));
    flow.write(text, BODY, flow.left + mm(3), flow.y + mm(1.5) + label.length * flow.lineHeight(STRONG));
  });
  flow.y += height + mm(1);
}

/** Mark, identity and page numbers, once it is known how many pages there are. */
export function drawFrames(flow: PageFlow, document: ReportDocument): void {
  const { count } = flow.pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    flow.pdf.switchToPage(page);
    if (document.mark !== null) drawMark(flow, document.mark, page === 0);
    if (page > 0) drawIdentity(flow, document);
    drawFoot(flow, document, page + 1, count);
  }
}

/** In a frame, so that a copy in grey shows it as well; read out once. */
function drawMark(flow: PageFlow, mark: string, first: boolean): void {
  flow.artifact(() =>
    flow.pdf.lineWidth(1.2).rect(flow.left, MARK_TOP, flow.width, MARK_HEIGHT).fillAndStroke('#fdf0ee', '#7a1f1f'),
  );
  const style = shrunk(flow, mark, flow.width - mm(4), MARK);
  const line = fitLine(flow.pdf, toPrintable(mark).text, flow.width - mm(4));
  const x = flow.left + (flow.width - flow.pdf.widthOfString(line)) / 2;
  const draw = () => flow.write([line], style, x, MARK_TOP + (MARK_HEIGHT - flow.lineHeight(style)) / 2);
  if (first) flow.tagged(flow.element('P'), 'P', draw);
  else flow.artifact(draw);
}

/** As large as one line allows. */
function shrunk(flow: PageFlow, text: string, width: number, wished: TextStyle): TextStyle {
  let style = wished;
  flow.use(style);
  while (style.size > SMALLEST && flow.pdf.widthOfString(text) > width) {
    style = { ...style, size: style.size - 0.5 };
    flow.use(style);
  }
  return style;
}

/** The title gives way where the patient and the wound need the line. */
function drawIdentity(flow: PageFlow, { title, identity, language }: ReportDocument): void {
  const known = toPrintable(identity).text.replace(UNPRINTED, speak(language)('glyphs.run'));
  flow.artifact(() => {
    flow.use(SMALL);
    const whole = `${title} · ${known}`;
    const text = flow.pdf.widthOfString(whole) <= flow.width ? whole : known;
    const style = shrunk(flow, text, flow.width, SMALL);
    flow.write([fitLine(flow.pdf, text, flow.width)], style, flow.left, mm(17));
  });
  flow.rule(mm(21.5));
}

function drawFoot(
  flow: PageFlow,
  { footer, notice, language, paper }: ReportDocument,
  page: number,
  pages: number,
): void {
  const paperHeight = mm(PAPER_TABLE[paper].height);
  const y = paperHeight - mm(12.5);
  flow.rule(y - mm(1));
  flow.artifact(() => {
    const number = speak(language)('page.of', { page: String(page), pages: String(pages) });
    flow.use(SMALL);
    const right = flow.left + flow.width - flow.pdf.widthOfString(number);
    flow.write([number], SMALL, right, y);
    const [line, room] = [`${notice} · ${footer}`, right - flow.left - mm(4)];
    const style = shrunk(flow, line, room, SMALL);
    flow.write([fitLine(flow.pdf, line, room)], style, flow.left, y);
  });
}
