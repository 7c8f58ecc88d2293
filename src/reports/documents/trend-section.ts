import type { ClinicalReport, CourseReport, TrendPoint } from '../../core/report/clinical-report.js';
import type { TimedEvent } from '../../core/followup/clinical-event.js';
import { paragraph, type Pen, type Section, type TableBlock } from './document-blocks.js';
import { eventListText } from './event-section.js';
import { rangeText } from './measurement-section.js';
import type { ChartPoint, ChartSign, LegendEntry, TrendChart } from './trend-chart.js';
import { expectedCourse, slopeBand } from './trend-lines.js';

/** A report of one photo lists no more; the course report has all. */
const MOST_LISTED = 12;
/** One dot is no curve. */
const FEWEST_POINTS = 2;

/** The areas up to this photo as a curve; null where there is nothing to compare. */
export function trendSection(
  pen: Pen,
  trend: readonly TrendPoint[],
  report: ClinicalReport,
  events: readonly TimedEvent[] = [],
): Section | null {
  if (trend.length < FEWEST_POINTS) return null;
  const { content } = report;
  const lines = {
    slope: slopeBand(content.comparison.slope, trend),
    expected: expectedCourse(content, trend),
    moments: momentsOf(pen, trend),
    ...treatmentsOf(trend, events),
  };
  const numbers = content.flags.map((_, index) => index + 1);
  const points = trend.map((point) => {
    const current = point.reportId === report.id;
    return chartPoint(pen, point, current, current ? numbers : []);
  });
  return sectionOf(pen, { points, ...lines }, events);
}

/** The curve of a course, whose flags stand in its list with their dates. */
export function courseTrendSection(pen: Pen, { trend, events = [] }: CourseReport): Section | null {
  if (trend.length < FEWEST_POINTS) return null;
  const points = trend.map((point) => chartPoint(pen, point, false, []));
  const lines = { slope: null, expected: [], moments: momentsOf(pen, trend), ...treatmentsOf(trend, events) };
  return sectionOf(pen, { points, ...lines }, events);
}

/** The areas of the curve in figures. */
export function areaSection(pen: Pen, trend: readonly TrendPoint[], currentReportId: string): Section | null {
  if (trend.length < FEWEST_POINTS) return null;
  const listed = trend.slice(-MOST_LISTED);
  const shortened = paragraph(
    pen.say('chart.latest', { shown: pen.figures.number(listed.length), count: pen.figures.number(trend.length) }),
  );
  return {
    heading: pen.say('section.areas'),
    blocks: [areaTable(pen, listed, currentReportId), ...(listed.length < trend.length ? [shortened] : [])],
  };
}

type Drawn = Pick<TrendChart, 'points' | 'slope' | 'expected' | 'moments' | 'events' | 'segments'>;

function sectionOf(pen: Pen, drawn: Drawn, events: readonly TimedEvent[]): Section {
  const { say, figures } = pen;
  const [first, last] = [drawn.points[0]!, drawn.points.at(-1)!];
  const chart: TrendChart = {
    axis: say('chart.axis'),
    alt: say('chart.alt', { count: figures.number(drawn.points.length), from: first.label, to: last.label }),
    legend: legendOf(pen, drawn),
    ...drawn,
    tickText: (value, digits) => figures.number(Number(value.toFixed(digits)), digits),
  };
  const list = eventListText(pen, events);
  return {
    heading: say('section.trend'),
    blocks: [{ kind: 'chart', chart }, ...(list === '' ? [] : [paragraph(list)])],
  };
}

function chartPoint({ figures }: Pen, point: TrendPoint, current: boolean, numbers: readonly number[]): ChartPoint {
  const { areaCm2, isFlagged, closure, reset, relation, reportId } = point;
  return {
    atMs: point.capturedAt.getTime(),
    label: figures.capturedDay(point),
    ...areaCm2,
    valueText: figures.number(areaCm2.value, 2),
    current,
    isRelated: reportId === null,
    isFlagged,
    numbers,
    episode: `${closure?.closedAt ?? ''} ${reset?.baselineReportId ?? ''} ${relation?.at ?? ''}`,
  };
}

/** When people closed the wound and opened it again, and when it grew together with others or fell apart. */
function momentsOf({ say, figures }: Pen, trend: readonly TrendPoint[]): TrendChart['moments'] {
  const first = trend[0]!.capturedAt.getTime();
  const closures = new Map(trend.flatMap(({ closure }) => (closure === null ? [] : [[closure.closedAt, closure]])));
  const moments = [...closures.values()].flatMap(({ closedAt, reopenedAt }) => [
    { at: closedAt, text: say('chart.closed', { date: figures.day(closedAt) }) },
    ...(reopenedAt === null
      ? []
      : [{ at: reopenedAt, text: say('chart.reopened', { date: figures.day(reopenedAt) }) }]),
  ]);
  const relations = new Map(trend.flatMap(({ relation }) => (relation === undefined ? [] : [[relation.at, relation]])));
  for (const { kind, at } of relations.values())
    moments.push({ at, text: say(`chart.${kind}`, { date: figures.day(at) }) });
  return moments
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map(({ at, text }) => ({ atMs: Date.parse(at), text }))
    .filter(({ atMs }) => atMs >= first);
}

/** Where the events stand in time, and at which of them the areas count anew. */
function treatmentsOf(trend: readonly TrendPoint[], events: readonly TimedEvent[]): Pick<Drawn, 'events' | 'segments'> {
  const [first, last] = [trend[0]!.capturedAt.getTime(), trend.at(-1)!.capturedAt.getTime()];
  const within = (atMs: number) => atMs >= first && atMs <= last;
  const resets = trend.flatMap(({ reset }) => (reset === undefined ? [] : [Date.parse(reset.occurredAt)]));
  return {
    events: events.map(({ occurredAt }) => occurredAt.getTime()).filter(within),
    segments: [...new Set(resets)].filter(within),
  };
}

/** Only what is drawn is explained. */
function legendOf({ say }: Pen, { points, slope, expected, moments, events, segments }: Drawn): LegendEntry[] {
  const drawn: Readonly<Record<ChartSign, boolean>> = {
    dot: true,
    sum: points.some(({ isRelated }) => isRelated),
    current: points.some(({ current }) => current),
    interval: true,
    number: points.some(({ numbers }) => numbers.length > 0),
    flag: points.some(({ isFlagged, numbers }) => isFlagged && numbers.length === 0),
    slope: slope !== null,
    expected: expected.length > 0,
    moment: moments.length > 0,
    event: events.length > 0,
    segment: segments.length > 0,
  };
  return (Object.keys(drawn) as ChartSign[])
    .filter((sign) => drawn[sign])
    .map((sign) => ({ sign, text: say(`chart.sign.${sign}`) }));
}

/** What a line of the table is beside an area of this number. */
function sidelineOf(
  { say, figures }: Pen,
  { reportId, sumOf, isDoubtful }: TrendPoint,
  currentReportId: string,
): string[] {
  if (reportId !== null)
    return [
      ...(reportId === currentReportId ? [`(${say('chart.this')})`] : []),
      ...(isDoubtful === true ? [say('chart.doubtful')] : []),
    ];
  const parts = (sumOf ?? []).map(({ areaCm2 }) => figures.areaCm2(areaCm2)).join(' + ');
  return [`(${parts === '' ? say('chart.whole') : say('chart.sum', { parts })})`];
}

function areaTable(pen: Pen, trend: readonly TrendPoint[], currentReportId: string): TableBlock {
  const { say, figures } = pen;
  return {
    kind: 'table',
    columns: [say('chart.date'), say('measure.area'), say('measure.interval')],
    rows: trend.map((point) => [
      [figures.captured(point), ...sidelineOf(pen, point, currentReportId)].join(' '),
      figures.areaWithin(point.areaCm2),
      rangeText(pen, point.areaCm2, 'cm2'),
    ]),
    widths: [5, 3, 4],
  };
}
