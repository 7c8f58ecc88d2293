import {
  placeChart,
  type ChartSign,
  type ChartSize,
  type PlacedChart,
  type Point,
  type TrendChart,
} from '../documents/trend-chart.js';
import { escapeHtml } from './escape-html.js';
import { CHART_STYLE } from './html-style.js';

const SIZE = { width: 640, height: 270, left: 46, right: 16, top: 42, bottom: 30, dateWidth: 92 } as const;
const FLAG = 5;
const EVENT = 4.5;
const NUMBER_RADIUS = 8;
const NUMBER_STEP = 19;

/**
 * The curve of the areas as a picture of lines, told in words to those who do not see it. On a narrow screen it keeps legible letters and
 * scrolls, from its right end: that is where this assessment stands.
 */
export function chartFigure(chart: TrendChart): string {
  const entries = chart.legend.map(({ sign, text }) => `<li>${signOf(sign)}${escapeHtml(text)}</li>`);
  return `<figure class="chart"><div class="scroll" tabindex="0">${chartSvg(chart)}</div><figcaption><ul class="legend">${entries.join('')}</ul></figcaption></figure>`;
}

/** For a panel beside a photo: at its width the letters keep their size. */
const PICTURE_SIZE = { ...SIZE, width: 440, height: 240 } as const;
const LEGEND_ROW = 20;

/** The curve as a file of its own, with its style and what its signs mean: white ground, no script, nothing fetched. */
export function chartPicture(chart: TrendChart): string {
  const { width, height } = PICTURE_SIZE;
  const whole = { width, height: height + LEGEND_ROW * chart.legend.length + 8 };
  const rows = chart.legend.map(
    ({ sign, text }, row) =>
      `<g transform="translate(8 ${height + LEGEND_ROW * row})">${SIGNS[sign]}<text x="32" y="13">${escapeHtml(text)}</text></g>`,
  );
  const ground = `<style>${CHART_STYLE}</style><rect width="${whole.width}" height="${whole.height}" fill="#fff"/>`;
  return svgOf(chart, whole, {
    attributes: 'xmlns="http://www.w3.org/2000/svg" class="chart" font-family="sans-serif"',
    parts: [ground, ...partsOf(chart, PICTURE_SIZE), ...rows],
  });
}

function chartSvg(chart: TrendChart): string {
  return svgOf(chart, SIZE, { attributes: 'font-family="inherit"', parts: partsOf(chart, SIZE) });
}

function svgOf(
  { alt }: TrendChart,
  { width, height }: Pick<ChartSize, 'width' | 'height'>,
  { attributes, parts }: { readonly attributes: string; readonly parts: readonly string[] },
): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(alt)}" ${attributes} font-size="12">${parts.join('')}</svg>`;
}

function partsOf(chart: TrendChart, size: ChartSize): string[] {
  const placed = placeChart(chart, size);
  return [
    placed.slope === null ? '' : `<polygon class="band" points="${path(placed.slope.band)}"/>`,
    ...gridLines(placed),
    `<text x="2" y="14">${escapeHtml(chart.axis)}</text>`,
    ...dates(placed),
    ...segmentsOf(placed),
    ...momentsOf(placed),
    placed.slope === null ? '' : `<polyline class="slope" points="${path(placed.slope.line)}"/>`,
    placed.expected.length < 2 ? '' : `<polyline class="expected" points="${path(placed.expected)}"/>`,
    ...placed.curves.map((curve) => `<polyline class="curve" points="${path(curve)}"/>`),
    ...placed.marks.map((mark) => markOf(mark, placed)),
    ...placed.events.map((x) => eventMark(x, placed.frame.bottom)),
  ];
}

function gridLines({ areaTicks, frame }: PlacedChart): string[] {
  return areaTicks.map(({ y, text }, index) => {
    const line = `<line class="${index === 0 ? 'axis' : 'grid'}" x1="${frame.left}" x2="${frame.right}" y1="${at(y)}" y2="${at(y)}"/>`;
    return `${line}<text x="${frame.left - 6}" y="${at(y + 4)}" text-anchor="end">${escapeHtml(text)}</text>`;
  });
}

function dates({ dateTicks, frame }: PlacedChart): string[] {
  return dateTicks.map(({ x, text }) => {
    const tick = `<line class="axis" x1="${at(x)}" x2="${at(x)}" y1="${frame.bottom}" y2="${frame.bottom + 4}"/>`;
    const anchor =
      x > frame.right - 40
        ? (['end', Math.min(x + 30, frame.right + 12)] as const)
        : (['middle', Math.max(x, 40)] as const);
    return `${tick}<text x="${at(anchor[1])}" y="${frame.bottom + 18}" text-anchor="${anchor[0]}">${escapeHtml(text)}</text>`;
  });
}

/** Their words stand above the frame, two lines in turn. */
function momentsOf({ moments, frame }: PlacedChart): string[] {
  return moments.map(({ x, text }, index) => {
    const anchor = x > frame.right - 90 ? 'end' : x < frame.left + 90 ? 'start' : 'middle';
    const y = frame.top - 5 - ((moments.length - 1 - index) % 2) * 14;
    return `<line class="moment" x1="${at(x)}" x2="${at(x)}" y1="${frame.top}" y2="${frame.bottom}"/><text x="${at(x)}" y="${y}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
  });
}

/** Where the areas count anew. */
function segmentsOf({ segments, frame }: PlacedChart): string[] {
  return segments.map(
    (x) => `<line class="segment" x1="${at(x)}" x2="${at(x)}" y1="${frame.top}" y2="${frame.bottom}"/>`,
  );
}

/** Stands on the axis and points to its moment. */
function eventMark(x: number, y: number): string {
  return `<path class="event" d="M${at(x)} ${at(y)}L${at(x - EVENT)} ${at(y - 2 * EVENT)}H${at(x + EVENT)}Z"/>`;
}

function markOf(mark: PlacedChart['marks'][number], { dotRadius, frame }: PlacedChart): string {
  const { x, y, yLower, yUpper, current, isRelated, valueText, isFlagged, numbers } = mark;
  const drawn = whisker(x, yLower, yUpper);
  if (isRelated) return `${drawn}${sumMark(x, y)}`;
  if (!current) {
    const flag = isFlagged ? triangle(x, yUpper - 3) : '';
    return `${drawn}<circle class="dot" cx="${at(x)}" cy="${at(y)}" r="${dotRadius + 1.3}"/>${flag}`;
  }
  const above = Math.min(yUpper, y - 7) - 6;
  const rings = numbers.map((number, index) =>
    ring(number, Math.min(x, frame.right) - 32 - (numbers.length - 1 - index) * NUMBER_STEP, above - 4),
  );
  return `${drawn}${diamond(x, y, 7)}<text x="${at(x)}" y="${at(above)}" text-anchor="middle" font-weight="600">${escapeHtml(valueText)}</text>${rings.join('')}`;
}

function sumMark(x: number, y: number): string {
  return `<circle class="sum" cx="${at(x)}" cy="${at(y)}" r="3.5"/>`;
}

function whisker(x: number, yLower: number, yUpper: number): string {
  const cap = (level: number) => `M${at(x - 3)} ${at(level)}H${at(x + 3)}`;
  return `<path class="whisker" d="M${at(x)} ${at(yLower)}V${at(yUpper)}${cap(yLower)}${cap(yUpper)}"/>`;
}

function diamond(x: number, y: number, size: number): string {
  return `<path class="diamond" d="M${at(x)} ${at(y - size)}L${at(x + size)} ${at(y)}L${at(x)} ${at(y + size)}L${at(x - size)} ${at(y)}Z"/>`;
}

/** Points down at what is flagged. */
function triangle(x: number, y: number): string {
  return `<path class="flag" d="M${at(x)} ${at(y)}L${at(x - FLAG)} ${at(y - 2 * FLAG)}H${at(x + FLAG)}Z"/>`;
}

function ring(number: number, x: number, y: number): string {
  return `<circle class="ring" cx="${at(x)}" cy="${at(y)}" r="${NUMBER_RADIUS}"/><text x="${at(x)}" y="${at(y + 4)}" text-anchor="middle" font-weight="600">${number}</text>`;
}

const SIGNS: Readonly<Record<ChartSign, string>> = {
  dot: '<circle class="dot" cx="12" cy="8" r="3.5"/>',
  sum: sumMark(12, 8),
  current: diamond(12, 8, 6),
  interval: whisker(12, 14, 2),
  flag: triangle(12, 13),
  number: ring(1, 12, 9),
  slope: '<rect class="band" x="1" y="3" width="22" height="11"/><path class="slope" d="M1 8H23"/>',
  expected: '<path class="expected" d="M1 8H23"/>',
  moment: '<path class="moment" d="M12 1V16"/>',
  event: eventMark(12, 13),
  segment: '<path class="segment" d="M12 1V16"/>',
};

function signOf(sign: ChartSign): string {
  return `<svg viewBox="0 0 24 18" aria-hidden="true" font-size="12">${SIGNS[sign]}</svg>`;
}

function path(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${at(x)},${at(y)}`).join(' ');
}

/** A tenth of a unit is finer than any screen. */
function at(distance: number): string {
  return String(Math.round(distance * 10) / 10);
}
