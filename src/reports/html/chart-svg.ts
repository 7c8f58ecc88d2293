import { placeChart, type PlacedChart, type TrendChart } from '../documents/trend-chart.js';
import { escapeHtml } from './escape-html.js';

const SIZE = { width: 640, height: 260, left: 46, right: 16, top: 30, bottom: 30, dateWidth: 92 } as const;

/** The curve of the areas as a picture of lines, told in words to those who do not see it. */
export function chartSvg(chart: TrendChart): string {
  const placed = placeChart(chart, SIZE);
  const parts = [
    ...gridLines(placed),
    axisName(chart),
    ...dates(placed),
    curve(placed),
    ...placed.marks.map((mark) => markOf(mark, placed.dotRadius)),
  ];
  const label = escapeHtml(chart.alt);
  return `<svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${label}" font-family="inherit" font-size="12">${parts.join('')}</svg>`;
}

function gridLines({ areaTicks, frame }: PlacedChart): string[] {
  return areaTicks.map(({ y, text }, index) => {
    const line = `<line x1="${frame.left}" x2="${frame.right}" y1="${at(y)}" y2="${at(y)}" stroke="${index === 0 ? '#333' : '#ddd'}"/>`;
    return `${line}<text x="${frame.left - 6}" y="${at(y + 4)}" text-anchor="end">${escapeHtml(text)}</text>`;
  });
}

function axisName({ axis }: TrendChart): string {
  return `<text x="2" y="14">${escapeHtml(axis)}</text>`;
}

function dates({ dateTicks, frame }: PlacedChart): string[] {
  return dateTicks.map(({ x, text }) => {
    const tick = `<line x1="${at(x)}" x2="${at(x)}" y1="${frame.bottom}" y2="${frame.bottom + 4}" stroke="#333"/>`;
    const anchor =
      x > frame.right - 40
        ? (['end', Math.min(x + 30, frame.right + 12)] as const)
        : (['middle', Math.max(x, 40)] as const);
    return `${tick}<text x="${at(anchor[1])}" y="${frame.bottom + 18}" text-anchor="${anchor[0]}">${escapeHtml(text)}</text>`;
  });
}

function curve({ marks }: PlacedChart): string {
  return `<polyline fill="none" stroke="#1f4e79" stroke-width="1.5" points="${marks.map(({ x, y }) => `${at(x)},${at(y)}`).join(' ')}"/>`;
}

function markOf({ x, y, yLower, yUpper, current, valueText }: PlacedChart['marks'][number], radius: number): string {
  const cap = (level: number) => `M${at(x - 3)} ${at(level)}H${at(x + 3)}`;
  const whisker = `<path fill="none" stroke="#333" d="M${at(x)} ${at(yLower)}V${at(yUpper)}${cap(yLower)}${cap(yUpper)}"/>`;
  if (!current) return `${whisker}<circle cx="${at(x)}" cy="${at(y)}" r="${radius + 1.3}" fill="#1f4e79"/>`;
  const diamond = `<path fill="#fff" stroke="#111" stroke-width="2" d="M${at(x)} ${at(y - 7)}L${at(x + 7)} ${at(y)}L${at(x)} ${at(y + 7)}L${at(x - 7)} ${at(y)}Z"/>`;
  return `${whisker}${diamond}<text x="${at(x)}" y="${at(yUpper - 6)}" text-anchor="middle" font-weight="600">${escapeHtml(valueText)}</text>`;
}

/** A tenth of a unit is finer than any screen. */
function at(distance: number): string {
  return String(Math.round(distance * 10) / 10);
}
