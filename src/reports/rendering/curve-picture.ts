import type { ReportReading } from '../../core/report/clinical-report.js';
import { penOf, timeZoneOf } from '../documents/report-document.js';
import { trendSection } from '../documents/trend-section.js';
import { chartPicture } from '../html/chart-svg.js';
import type { Language } from '../wording/language.js';

/** What is said beside the curve. */
export interface CurveTold {
  /** For those who do not see it. */
  readonly alt: string;
  /** What was done to the wound, with its days; null: nothing. */
  readonly events: string | null;
}

type Drawn = Pick<ReportReading, 'report' | 'heading' | 'trend' | 'events'>;

/** The areas of the wound up to this photo as the printed report draws them, in SVG with the meaning of its signs; null where there is nothing to compare. */
export function curvePicture(reading: Drawn, language: Language): string | null {
  const block = blocksOf(reading, language).find((one) => one.kind === 'chart');
  return block === undefined ? null : chartPicture(block.chart);
}

/** null where there is no curve. */
export function tellCurve(reading: Drawn, language: Language): CurveTold | null {
  const blocks = blocksOf(reading, language);
  const chart = blocks.find((block) => block.kind === 'chart');
  if (chart === undefined) return null;
  const listed = blocks.find((block) => block.kind === 'paragraph');
  return { alt: chart.chart.alt, events: listed?.text ?? null };
}

function blocksOf(reading: Drawn, language: Language) {
  const pen = penOf(language, timeZoneOf(reading));
  return trendSection(pen, reading.trend, reading.report, reading.events)?.blocks ?? [];
}
