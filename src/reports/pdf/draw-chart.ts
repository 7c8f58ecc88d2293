import { placeChart, type PlacedChart, type TrendChart } from '../documents/trend-chart.js';
import { BODY, INK, MUTED, STRONG, type PageFlow, type TextStyle } from './page-flow.js';
import { mm } from './pdf-page.js';

const CHART_HEIGHT_MM = 62;

export function chartHeight(flow: PageFlow): number {
  return flow.loose(CHART_HEIGHT_MM);
}
const TEXT: TextStyle = { ...BODY, size: 8, colour: INK };
const LEGEND: TextStyle = { ...BODY, size: 8.5, colour: MUTED };
const VALUE: TextStyle = { ...STRONG, size: 9 };
const CURVE = '#1f4e79';
const DIAMOND = 5;

/** The curve of the areas in lines, with its legend; its text is told to those who do not see it. */
export function drawChart(flow: PageFlow, chart: TrendChart): void {
  flow.ensure(chartHeight(flow));
  const height = chartHeight(flow) - mm(6);
  const placed = placeChart(chart, {
    width: flow.width,
    height,
    left: mm(12),
    right: mm(6),
    top: mm(11),
    bottom: mm(7),
    dateWidth: mm(25),
  });
  const figure = flow.element('Figure', undefined, { alt: chart.alt });
  flow.tagged(figure, 'Figure', () => {
    flow.pdf.save().translate(flow.left, flow.y);
    drawAxes(flow, chart, placed);
    drawCurve(flow, placed);
    for (const mark of placed.marks) drawMark(flow, mark, placed.dotRadius);
    flow.pdf.restore();
  });
  flow.y += height + mm(1);
  flow.tagged(flow.element('Caption'), 'Caption', () =>
    flow.write(flow.lines(chart.legend, LEGEND, flow.width).slice(0, 1), LEGEND, flow.left, flow.y),
  );
  flow.y += mm(6);
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
    writeCentred(flow, text, TEXT, x, frame.bottom + 4, 0.5);
  }
}

/** `share` of the text lies left of `x`: half is centred; nothing leaves the chart. */
function writeCentred(flow: PageFlow, text: string, style: TextStyle, x: number, y: number, share: number): void {
  flow.use(style);
  const width = flow.pdf.widthOfString(text);
  flow.write([text], style, Math.min(Math.max(0, x - width * share), flow.width - width), y);
}

function drawCurve({ pdf }: PageFlow, { marks }: PlacedChart): void {
  pdf.lineWidth(1).strokeColor(CURVE);
  marks.forEach(({ x, y }, index) => (index === 0 ? pdf.moveTo(x, y) : pdf.lineTo(x, y)));
  if (marks.length > 1) pdf.stroke();
}

function drawMark(
  flow: PageFlow,
  { x, y, yLower, yUpper, current, valueText }: PlacedChart['marks'][number],
  radius: number,
): void {
  const { pdf } = flow;
  pdf.lineWidth(0.6).strokeColor('#333333').moveTo(x, yLower).lineTo(x, yUpper).stroke();
  for (const level of [yLower, yUpper])
    pdf
      .moveTo(x - 2.5, level)
      .lineTo(x + 2.5, level)
      .stroke();
  if (!current) {
    pdf.circle(x, y, radius).fill(CURVE);
    return;
  }
  pdf
    .lineWidth(1.4)
    .moveTo(x, y - DIAMOND)
    .lineTo(x + DIAMOND, y)
    .lineTo(x, y + DIAMOND)
    .lineTo(x - DIAMOND, y)
    .closePath()
    .fillAndStroke('#ffffff', INK);
  writeCentred(flow, valueText, VALUE, x, Math.min(yUpper, y - DIAMOND) - flow.lineHeight(VALUE) - 1, 0.5);
}
