import type { TrendPoint } from '../../core/report/clinical-report.js';
import { paragraph, type Pen, type Section, type TableBlock } from './document-blocks.js';
import { rangeText } from './measurement-section.js';
import type { TrendChart } from './trend-chart.js';

/** A report of one photo lists no more; the course report has all. */
const MOST_LISTED = 12;
/** One dot is no curve. */
const FEWEST_POINTS = 2;

/** The areas up to this photo as a curve; null where there is nothing to compare. */
export function trendSection(pen: Pen, trend: readonly TrendPoint[], currentReportId: string): Section | null {
  if (trend.length < FEWEST_POINTS) return null;
  return {
    heading: pen.say('section.trend'),
    blocks: [{ kind: 'chart', chart: chartOf(pen, trend, currentReportId) }],
  };
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

/** The chart alone: a course has its table elsewhere. */
export function courseTrendSection(pen: Pen, trend: readonly TrendPoint[]): Section | null {
  if (trend.length < FEWEST_POINTS) return null;
  return { heading: pen.say('section.trend'), blocks: [{ kind: 'chart', chart: chartOf(pen, trend, null) }] };
}

function chartOf({ say, figures }: Pen, trend: readonly TrendPoint[], currentReportId: string | null): TrendChart {
  const [from, to] = [trend[0]!.capturedAt, trend[trend.length - 1]!.capturedAt];
  return {
    axis: say('chart.axis'),
    alt: say('chart.alt', { count: figures.number(trend.length), from: figures.day(from), to: figures.day(to) }),
    legend: say(currentReportId === null ? 'chart.legendCourse' : 'chart.legend'),
    points: trend.map(({ reportId, capturedAt, areaCm2 }) => ({
      atMs: capturedAt.getTime(),
      label: figures.day(capturedAt),
      ...areaCm2,
      valueText: figures.number(areaCm2.value, 2),
      current: reportId === currentReportId,
    })),
    tickText: (value, digits) => figures.number(Number(value.toFixed(digits)), digits),
  };
}

function areaTable(pen: Pen, trend: readonly TrendPoint[], currentReportId: string): TableBlock {
  const { say, figures } = pen;
  return {
    kind: 'table',
    columns: [say('chart.date'), say('measure.area'), say('measure.interval')],
    rows: trend.map(({ reportId, capturedAt, areaCm2 }) => [
      reportId === currentReportId
        ? `${figures.moment(capturedAt)} (${say('chart.this')})`
        : figures.moment(capturedAt),
      figures.areaCm2(areaCm2.value),
      rangeText(pen, areaCm2, 'cm2'),
    ]),
    widths: [5, 3, 4],
  };
}
