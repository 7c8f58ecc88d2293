import { NINETY_PERCENT } from '../../src/core/measurement/interval.js';
import { flagSeries } from '../../src/core/followup/flags.js';
import { areaOf, logAreaSd } from '../../src/core/followup/area-change.js';
import { compareSeries } from '../../src/core/followup/series.js';
import type { Closure } from '../../src/core/followup/wound-closure.js';
import { photographedOn } from './simulated-wounds.js';

interface History {
  /** Of the file. */
  readonly name: string;
  /** Day and area in cm². */
  readonly visits: readonly (readonly [day: number, areaCm2: number])[];
  readonly closedOnDay?: number;
}

const weekly = (areas: readonly number[]) => areas.map((areaCm2, week) => [7 * week, areaCm2] as const);

/** An example of each flag that areas raise. */
export const HISTORIES: readonly History[] = [
  { name: 'growth', visits: [[0, 4], [13, 4.8], [26, 5.6], [39, 6.8], [52, 8.2], [64, 10]] }, // prettier-ignore
  { name: 'growth-by-pair', visits: weekly([10, 9, 8.1, 12.5, 11.9]) },
  { name: 'growth-since-smallest', visits: weekly([10, 5, 6.2, 7.5, 9, 10.4]) },
  { name: 'stall', visits: weekly([10, 8.2, 6.6, 5.3, 4.2, 4.1, 4.3, 4.2, 4.1, 4.2]) },
  { name: 'four-weeks', visits: [[0, 10], [10, 9], [21, 8], [35, 6.2], [49, 4.4], [63, 3.3]] }, // prettier-ignore
  { name: 'eight-weeks', visits: [[0, 10], [14, 7], [28, 4], [42, 3], [56, 2.1], [70, 0.8]] }, // prettier-ignore
  { name: 'reopened', visits: [[0, 3], [14, 1.6], [28, 0.5], [60, 1.2], [67, 1], [74, 0.7]], closedOnDay: 40 }, // prettier-ignore
];

const FAST = { areaRepeatabilityPct: 9.8, scaleUncertaintyPct: 1.2 };
const SIZE = { width: 720, height: 300, left: 50, right: 20, top: 20, bottom: 40 };
const LINE_HEIGHT = 13;

/** The curve as an SVG of greys: areas with what another photo could have shown, and the flags of each visit above it. */
export function drawHistory({ visits, closedOnDay }: History): string {
  const photos = visits.map(([day, areaCm2], visit) => photographedOn(visit, day, areaCm2, FAST));
  const closures = closedOnDay === undefined ? [] : [closureOn(closedOnDay)];
  const comparisons = compareSeries(photos, closures);
  const flags = flagSeries(photos, comparisons);
  const plots = photos.map((photo, index) => ({
    day: visits[index]![0],
    areaCm2: areaOf(photo.findings).value,
    spread: Math.exp(NINETY_PERCENT * logAreaSd(photo.findings)),
    codes: flags.get(photo.reportId)!.map(({ code }) => code),
    trend: comparisons.get(photo.reportId)!.trend,
  }));
  const lastDay = plots.at(-1)!.day;
  const most = Math.max(...plots.map(({ areaCm2, spread }) => areaCm2 * spread));
  const news = plots
    .filter(({ codes }, index) => codes.join() !== (plots[index - 1]?.codes ?? []).join())
    .map((plot) => ({ ...plot, lines: plot.codes.length === 0 ? ['no flag'] : plot.codes }));
  const raised = news.reduce((sum, { lines }) => sum + lines.length, 0) * LINE_HEIGHT;
  const [top, bottom] = [SIZE.top + raised + 2 * LINE_HEIGHT, SIZE.height - SIZE.bottom];
  const x = (day: number) => Math.round(SIZE.left + 40 + (day / lastDay) * (SIZE.width - SIZE.left - SIZE.right - 120));
  const y = (areaCm2: number) => Math.round(bottom - (areaCm2 / most) * (bottom - top));
  const points = plots.map(({ day, areaCm2, spread, codes, trend }) => [
    `<path d="M${x(day)} ${y(areaCm2 * spread)}V${y(areaCm2 / spread)}" stroke="#999" stroke-width="3"/>`,
    `<circle cx="${x(day)}" cy="${y(areaCm2)}" r="5" fill="${codes.length === 0 ? '#fff' : '#000'}" stroke="#000"/>`,
    `<text x="${x(day)}" y="${bottom + 14}" text-anchor="middle">${day}</text>`,
    `<text x="${x(day) + 8}" y="${y(areaCm2) + 4}">${areaCm2}</text>`,
    `<text x="${x(day)}" y="${bottom + 28}" text-anchor="middle" fill="#555">${trend === null ? '–' : TREND_WORDS[trend]}</text>`,
  ]);
  let line = 0;
  const notes = news.flatMap(({ day, areaCm2, spread, lines }) => {
    const texts = lines.map(
      (text) =>
        `<text x="${x(day)}" y="${SIZE.top + line++ * LINE_HEIGHT}" text-anchor="middle" font-size="10">${text}</text>`,
    );
    const from = SIZE.top + (line - 1) * LINE_HEIGHT + 4;
    return [`<path d="M${x(day)} ${from}V${y(areaCm2 * spread) - 4}" stroke="#999" stroke-dasharray="2 3"/>`, ...texts];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${SIZE.width}" height="${SIZE.height}" fill="#fff"/>`,
    `<path d="M${SIZE.left} ${top}V${bottom}H${SIZE.width - SIZE.right}" fill="none" stroke="#000"/>`,
    `<text x="6" y="${top}">cm²</text><text x="6" y="${bottom + 14}">day</text>`,
    closedOnDay === undefined ? '' : mark(x(closedOnDay), top, bottom),
    ...notes,
    ...points.flat(),
    '</svg>',
    '',
  ].join('\n');
}

function closureOn(day: number): Closure {
  return { closedAt: photographedOn(0, day, 1, FAST).capturedAt.toISOString(), reopenedAt: null };
}

const TREND_WORDS = { smaller: 'smaller', larger: 'larger', within_detectable_change: 'no change' } as const;

function mark(x: number, top: number, bottom: number): string {
  return `<path d="M${x} ${top}V${bottom}" stroke="#000" stroke-dasharray="6 3"/><text x="${x + 4}" y="${top + 10}">closed</text>`;
}
