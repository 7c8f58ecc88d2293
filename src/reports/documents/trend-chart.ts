/** A curve of areas over time, with all its texts; each setting draws it in its own size. */
export interface TrendChart {
  readonly axis: string;
  readonly alt: string;
  /** The meaning of the signs that are in it. */
  readonly legend: readonly LegendEntry[];
  /** Oldest first, at least one. */
  readonly points: readonly ChartPoint[];
  /** Where the last assessments tend, with its band. */
  readonly slope: ChartBand | null;
  /** The course that published evidence gives for this kind of wound. */
  readonly expected: readonly ChartPlace[];
  /** Moments that a person decided. */
  readonly moments: readonly { readonly atMs: number; readonly text: string }[];
  /** When something was done to the wound. */
  readonly events: readonly number[];
  /** Where the areas count anew after a treatment. */
  readonly segments: readonly number[];
  /** A tick of the axis of areas, with so many digits after the decimal sign. */
  readonly tickText: (value: number, digits: number) => string;
}

export const CHART_SIGNS = [
  'dot',
  'sum',
  'current',
  'interval',
  'flag',
  'number',
  'slope',
  'expected',
  'moment',
  'event',
  'segment',
] as const;
export type ChartSign = (typeof CHART_SIGNS)[number];

export interface LegendEntry {
  readonly sign: ChartSign;
  readonly text: string;
}

export interface ChartPlace {
  readonly atMs: number;
  readonly value: number;
}

export interface ChartBand {
  readonly line: readonly ChartPlace[];
  /** Of the same moments as the line. */
  readonly lower: readonly ChartPlace[];
  readonly upper: readonly ChartPlace[];
}

export interface ChartPoint extends ChartPlace {
  /** Its date. */
  readonly label: string;
  readonly lower: number;
  readonly upper: number;
  readonly valueText: string;
  readonly current: boolean;
  /** Of several wounds together, or of the wound that this one was part of. */
  readonly isRelated: boolean;
  /** It raised flags; `numbers`: those of them that the list beside the chart has. */
  readonly isFlagged: boolean;
  readonly numbers: readonly number[];
  /** The curve breaks where a person had closed the wound between two photos, and where a treatment changed its area. */
  readonly episode: string;
}

/** Distances in the units of whoever draws. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
  /** Room for the figures of the axis. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  /** Room for the dates. */
  readonly bottom: number;
  /** Dates stand at least so far apart. */
  readonly dateWidth: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedChart {
  readonly marks: readonly (ChartPoint & Point & { readonly yLower: number; readonly yUpper: number })[];
  /** One for each episode. */
  readonly curves: readonly (readonly Point[])[];
  readonly slope: { readonly line: readonly Point[]; readonly band: readonly Point[] } | null;
  readonly expected: readonly Point[];
  readonly moments: readonly { readonly x: number; readonly text: string }[];
  readonly events: readonly number[];
  readonly segments: readonly number[];
  readonly areaTicks: readonly { readonly y: number; readonly text: string }[];
  readonly dateTicks: readonly { readonly x: number; readonly text: string }[];
  /** The corners of the axes. */
  readonly frame: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly dotRadius: number;
}

const MOST_STEPS = 5;
const CROWDED = 60;

/** The geometry of a chart; areas start at 0, so that half the height is half the area. */
export function placeChart(chart: TrendChart, size: ChartSize): PlacedChart {
  const { points, slope, expected, moments, events, segments, tickText } = chart;
  const frame = { left: size.left, right: size.width - size.right, top: size.top, bottom: size.height - size.bottom };
  const largest = Math.max(
    ...points.map(({ upper, value }) => Math.max(upper, value)),
    ...expected.map(({ value }) => value),
  );
  const { step, top, digits } = areaScale(largest);
  // What tends beyond the largest area ends at the frame.
  const y = (value: number) => frame.bottom - (Math.min(value, top) / top) * (frame.bottom - frame.top);
  const x = timeScale(
    [...points, ...expected, ...moments].map(({ atMs }) => atMs),
    frame,
  );
  const place = ({ atMs, value }: ChartPlace): Point => ({ x: x(atMs), y: y(value) });
  const marks = points.map((point) => ({
    ...point,
    ...place(point),
    yLower: y(point.lower),
    yUpper: y(point.upper),
  }));
  const steps = Math.round(top / step);
  return {
    marks,
    curves: [...new Set(marks.map(({ episode }) => episode))].map((episode) =>
      marks.filter((mark) => mark.episode === episode),
    ),
    slope: slope && {
      line: slope.line.map(place),
      band: [...slope.upper.map(place), ...slope.lower.map(place).reverse()],
    },
    expected: expected.map(place),
    moments: moments.map(({ atMs, text }) => ({ x: x(atMs), text })),
    events: events.map(x),
    segments: segments.map(x),
    areaTicks: Array.from({ length: steps + 1 }, (_, index) => ({
      y: y(index * step),
      text: tickText(index * step, digits),
    })),
    dateTicks: datesApart(marks, size.dateWidth),
    frame,
    dotRadius: points.length > CROWDED ? 1 : 2.2,
  };
}

/** Round steps of 1, 2 or 5 that reach above the largest area. */
function areaScale(largest: number): { readonly step: number; readonly top: number; readonly digits: number } {
  const rough = (largest > 0 ? largest : 1) / MOST_STEPS;
  const power = Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * 10 ** power >= rough) ?? 10;
  const step = factor * 10 ** power;
  // A hair less, so that an area that ends on a step needs no step above it.
  const steps = Math.max(1, Math.ceil((rough * MOST_STEPS) / step - 1e-9));
  return { step, top: steps * step, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

/** Time runs evenly; photos of one moment stand in the middle. */
function timeScale(moments: readonly number[], { left, right }: PlacedChart['frame']): (atMs: number) => number {
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const inset = (right - left) * 0.04;
  if (first === last) return () => (left + right) / 2;
  return (atMs) => left + inset + ((atMs - first) / (last - first)) * (right - left - 2 * inset);
}

/** The dates of the first and the last photo, and of those between that have room. */
function datesApart(marks: PlacedChart['marks'], dateWidth: number): PlacedChart['dateTicks'] {
  const last = marks[marks.length - 1]!;
  const ticks: { x: number; text: string }[] = [];
  for (const { x, label } of marks.slice(0, -1)) {
    const before = ticks[ticks.length - 1];
    if ((before === undefined || x - before.x >= dateWidth) && last.x - x >= dateWidth) ticks.push({ x, text: label });
  }
  return [...ticks, { x: last.x, text: last.label }];
}
