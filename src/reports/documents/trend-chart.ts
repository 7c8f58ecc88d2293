/** A curve of areas over time, with all its texts; each setting draws it in its own size. */
export interface TrendChart {
  readonly axis: string;
  readonly alt: string;
  /** The meaning of its signs. */
  readonly legend: string;
  /** Oldest first, at least one. */
  readonly points: readonly ChartPoint[];
  /** A tick of the axis of areas, with so many digits after the decimal sign. */
  readonly tickText: (value: number, digits: number) => string;
}

export interface ChartPoint {
  readonly atMs: number;
  /** Its date. */
  readonly label: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly valueText: string;
  readonly current: boolean;
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

export interface PlacedChart {
  readonly marks: readonly (ChartPoint & {
    readonly x: number;
    readonly y: number;
    readonly yLower: number;
    readonly yUpper: number;
  })[];
  readonly areaTicks: readonly { readonly y: number; readonly text: string }[];
  readonly dateTicks: readonly { readonly x: number; readonly text: string }[];
  /** The corners of the axes. */
  readonly frame: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly dotRadius: number;
}

const MOST_STEPS = 5;
const CROWDED = 60;

/** The geometry of a chart; areas start at 0, so that half the height is half the area. */
export function placeChart({ points, tickText }: TrendChart, size: ChartSize): PlacedChart {
  const frame = { left: size.left, right: size.width - size.right, top: size.top, bottom: size.height - size.bottom };
  const { step, top, digits } = areaScale(Math.max(...points.map(({ upper, value }) => Math.max(upper, value))));
  const y = (value: number) => frame.bottom - (value / top) * (frame.bottom - frame.top);
  const x = timeScale(points, frame);
  const marks = points.map((point) => ({
    ...point,
    x: x(point.atMs),
    y: y(point.value),
    yLower: y(point.lower),
    yUpper: y(point.upper),
  }));
  const steps = Math.round(top / step);
  const areaTicks = Array.from({ length: steps + 1 }, (_, index) => ({
    y: y(index * step),
    text: tickText(index * step, digits),
  }));
  return {
    marks,
    areaTicks,
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
function timeScale(points: readonly ChartPoint[], { left, right }: PlacedChart['frame']): (atMs: number) => number {
  const [first, last] = [points[0]!.atMs, points[points.length - 1]!.atMs];
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
