import { placeChart, type ChartSign, type PlacedChart, type Point, type TrendChart } from '../documents/trend-chart.js';
import { drawNumber } from './draw-text.js';
import { BODY, INK, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { mm } from './pdf-page.js';

/** Of the height, what does not shrink, and what does. */
const FIRM_MM = 28;
const LOOSE_MM = 30;
const TEXT: TextStyle = { ...BODY, size: 8, colour: INK };
const LEGEND: TextStyle = { ...BODY, size: 8, colour: MUTED };
const VALUE: TextStyle = { ...STRONG, size: 9 };
const CURVE = '#1f4e79';
const BAND = '#dfe6ec';
const DASHED = '#5a5a5a';
const DIAMOND = 5;
const FLAG = 3.4;
const EVENT = 3;
const SEGMENT = '#9a7b3c';
const SIGN_WIDTH = mm(7);
const LEGEND_GAP = mm(4);
const NUMBER_STEP = 12;

/** The height of a chart with one line of legend: what must stand with its heading. */
export function chartHeight(flow: PageFlow): number {
  return drawingHeight(flow) + flow.lineHeight(LEGEND) + mm(3);
}

function drawingHeight(flow: PageFlow): number {
  return mm(FIRM_MM) + flow.loose(LOOSE_MM);
}

/** The curve of the areas in lines, with its legend; its text is told to those who do not see it. */
export function drawChart(flow: PageFlow, chart: TrendChart): void {
  flow.ensure(chartHeight(flow));
  const height = drawingHeight(flow);
  const placed = placeChart(chart, {
    width: flow.width,
    height,
    left: mm(12),
    right: mm(6),
    top: mm(11),
    bottom: mm(6),
    dateWidth: mm(25),
  });
  const figure = flow.element('Figure', undefined, { alt: chart.alt });
  flow.tagged(figure, 'Figure', () => {
    flow.pdf.save().translate(flow.left, flow.y);
    if (placed.slope !== null) fill(flow, placed.slope.band, BAND);
    drawAxes(flow, chart, placed);
    drawSegments(flow, placed);
    drawMoments(flow, placed);
    drawLines(flow, placed);
    for (const mark of placed.marks) drawMark(flow, mark, placed);
    for (const x of placed.events) eventMark(flow, x, placed.frame.bottom);
    flow.pdf.restore();
  });
  flow.y += height + mm(0.5);
  drawLegend(flow, chart);
}

function drawAxes(flow: PageFlow, { axis }: TrendChart, { areaTicks, dateTicks, frame }: PlacedChart): void {
  const { pdf } = flow;
  flow.write([axis], TEXT, 0, 0);
  areaTicks.forEach(({ y, text }, index) => {
    pdf
      .lineWidth(0.4)
      .strokeColor(index === 0 ? '#333333' : '#d4d4d4')
      .moveTo(frame.left, y)
      .lineTo(frame.right, y)
      .stroke();
    writeCentred(flow, text, TEXT, frame.left - 4, y - flow.lineHeight(TEXT) / 2, 1);
  });
  for (const { x, text } of dateTicks) {
    pdf
      .lineWidth(0.6)
      .strokeColor('#333333')
      .moveTo(x, frame.bottom)
      .lineTo(x, frame.bottom + 3)
      .stroke();
    writeCentred(flow, text, TEXT, x, frame.bottom + 3, 0.5);
  }
}

/** `share` of the text lies left of `x`: half is centred; nothing leaves the chart. */
function writeCentred(flow: PageFlow, text: string, style: TextStyle, x: number, y: number, share: number): void {
  flow.use(style);
  const width = flow.pdf.widthOfString(text);
  flow.write([text], style, Math.min(Math.max(0, x - width * share), flow.width - width), y);
}

/** Their words stand above the frame, each in a line of its own. */
function drawMoments(flow: PageFlow, { moments, frame }: PlacedChart): void {
  moments.forEach(({ x, text }, index) => {
    flow.pdf
      .lineWidth(0.8)
      .strokeColor(INK)
      .dash(1.2, { space: 2 })
      .moveTo(x, frame.top)
      .lineTo(x, frame.bottom)
      .stroke();
    flow.pdf.undash();
    const y = frame.top - (1 + ((moments.length - 1 - index) % 2)) * flow.lineHeight(TEXT);
    writeCentred(flow, text, TEXT, x, y, 0.5);
  });
}

/** Where the areas count anew. */
function drawSegments({ pdf }: PageFlow, { segments, frame }: PlacedChart): void {
  for (const x of segments) segmentLine(pdf, x, frame.top, frame.bottom);
}

function segmentLine(pdf: PageFlow['pdf'], x: number, top: number, bottom: number): void {
  pdf.lineWidth(1).strokeColor(SEGMENT).moveTo(x, top).lineTo(x, bottom).stroke();
}

/** Stands on the axis and points to its moment. */
function eventMark({ pdf }: PageFlow, x: number, y: number): void {
  pdf
    .lineWidth(0.8)
    .moveTo(x, y)
    .lineTo(x - EVENT, y - 2 * EVENT)
    .lineTo(x + EVENT, y - 2 * EVENT)
    .closePath()
    .fillAndStroke('#ffffff', INK);
}

function drawLines({ pdf }: PageFlow, { curves, slope, expected }: PlacedChart): void {
  const trace = (points: readonly Point[]) =>
    points.forEach(({ x, y }, index) => (index === 0 ? pdf.moveTo(x, y) : pdf.lineTo(x, y)));
  if (slope !== null) {
    pdf.lineWidth(2.2).strokeColor('#8fa6b8');
    trace(slope.line);
    pdf.stroke();
  }
  if (expected.length > 1) {
    pdf.lineWidth(1).strokeColor(DASHED).dash(5, { space: 3 });
    trace(expected);
    pdf.stroke().undash();
  }
  for (const curve of curves.filter(({ length }) => length > 1)) {
    pdf.lineWidth(1).strokeColor(CURVE);
    trace(curve);
    pdf.stroke();
  }
}

function fill({ pdf }: PageFlow, points: readonly Point[], colour: string): void {
  points.forEach(({ x, y }, index) => (index === 0 ? pdf.moveTo(x, y) : pdf.lineTo(x, y)));
  pdf.closePath().fill(colour);
}

function drawMark(flow: PageFlow, mark: PlacedChart['marks'][number], { dotRadius, frame }: PlacedChart): void {
  const { pdf } = flow;
  const { x, y, yLower, yUpper, current, isRelated, valueText, isFlagged, numbers } = mark;
  drawWhisker(flow, x, yLower, yUpper);
  if (current) {
    diamond(flow, x, y);
    const above = Math.min(yUpper, y - DIAMOND) - flow.lineHeight(VALUE) - 1;
    writeCentred(flow, valueText, VALUE, x, above, 0.5);
    // To the left, where there is always room: this assessment is the last.
    numbers.forEach((number, index) => {
      const left = Math.min(x - 20, frame.right - 20) - (numbers.length - 1 - index) * NUMBER_STEP;
      drawNumber(flow, number, left, above + flow.lineHeight(VALUE) / 2);
    });
    return;
  }
  if (isRelated) sumMark(flow, x, y);
  else pdf.circle(x, y, dotRadius).fill(CURVE);
  if (isFlagged) triangle(flow, x, yUpper - 2);
}

function sumMark({ pdf }: PageFlow, x: number, y: number): void {
  pdf.lineWidth(1).circle(x, y, 2.4).fillAndStroke('#ffffff', CURVE);
}

function drawWhisker({ pdf }: PageFlow, x: number, yLower: number, yUpper: number): void {
  pdf.lineWidth(0.6).strokeColor('#333333').moveTo(x, yLower).lineTo(x, yUpper).stroke();
  for (const level of [yLower, yUpper])
    pdf
      .moveTo(x - 2.5, level)
      .lineTo(x + 2.5, level)
      .stroke();
}

function diamond({ pdf }: PageFlow, x: number, y: number, size = DIAMOND): void {
  pdf
    .lineWidth(1.4)
    .moveTo(x, y - size)
    .lineTo(x + size, y)
    .lineTo(x, y + size)
    .lineTo(x - size, y)
    .closePath()
    .fillAndStroke('#ffffff', INK);
}

/** Points down at what is flagged. */
function triangle({ pdf }: PageFlow, x: number, y: number): void {
  pdf
    .moveTo(x, y)
    .lineTo(x - FLAG, y - 2 * FLAG)
    .lineTo(x + FLAG, y - 2 * FLAG)
    .closePath()
    .fill(INK);
}

/** Sign and words, as many in a line as it holds. */
function drawLegend(flow: PageFlow, { legend }: TrendChart): void {
  let x = 0;
  const step = flow.lineHeight(LEGEND) * 1.15;
  const caption = flow.element('Caption');
  for (const { sign, text } of legend) {
    const [line] = flow.lines(text, LEGEND, flow.width - SIGN_WIDTH);
    flow.pdf.font(LEGEND.font).fontSize(LEGEND.size);
    const width = SIGN_WIDTH + flow.pdf.widthOfString(line!);
    if (x > 0 && x + width > flow.width) {
      x = 0;
      flow.y += step;
    }
    const left = flow.left + x;
    const { y } = flow;
    flow.artifact(() => SIGNS[sign](flow, left + SIGN_WIDTH / 2 - mm(1), y + flow.lineHeight(LEGEND) / 2));
    flow.tagged(caption, 'Caption', () => flow.write([line!], LEGEND, left + SIGN_WIDTH, y));
    x += width + LEGEND_GAP;
  }
  flow.y += step + mm(1.5);
}

const SIGNS: Readonly<Record<ChartSign, (flow: PageFlow, x: number, y: number) => void>> = {
  dot: ({ pdf }, x, y) => void pdf.circle(x, y, 2.2).fill(CURVE),
  sum: (flow, x, y) => sumMark(flow, x, y),
  current: (flow, x, y) => diamond(flow, x, y, 3.6),
  interval: (flow, x, y) => drawWhisker(flow, x, y - 4, y + 4),
  flag: (flow, x, y) => triangle(flow, x, y + FLAG),
  number: (flow, x, y) => drawNumber(flow, 1, x, y),
  slope: ({ pdf }, x, y) => {
    pdf.rect(x - 7, y - 3.5, 14, 7).fill(BAND);
    pdf
      .lineWidth(2.2)
      .strokeColor('#8fa6b8')
      .moveTo(x - 7, y)
      .lineTo(x + 7, y)
      .stroke();
  },
  expected: ({ pdf }, x, y) => {
    pdf.lineWidth(1).strokeColor(DASHED).dash(5, { space: 2 });
    pdf
      .moveTo(x - 7, y)
      .lineTo(x + 7, y)
      .stroke()
      .undash();
  },
  event: (flow, x, y) => eventMark(flow, x, y + EVENT),
  segment: ({ pdf }, x, y) => segmentLine(pdf, x, y - 4, y + 4),
  moment: ({ pdf }, x, y) => {
    pdf.lineWidth(0.8).strokeColor(INK).dash(1.2, { space: 2 });
    pdf
      .moveTo(x, y - 4)
      .lineTo(x, y + 4)
      .stroke()
      .undash();
  },
};
