import type { ReportReading } from '../../core/report/clinical-report.js';
import { penOf, timeZoneOf } from '../documents/report-document.js';
import { trendSection } from '../documents/trend-section.js';
import { chartPicture } from '../html/chart-svg.js';
import type { Language } from '../wording/language.js';

/** The areas of the wound up to this photo as the printed report draws them, in SVG; null where there is nothing to compare. */
export function curvePicture(
  reading: Pick<ReportReading, 'report' | 'heading' | 'trend' | 'events'>,
  language: Language,
): string | null {
  const section = trendSection(penOf(language, timeZoneOf(reading)), reading.trend, reading.report, reading.events);
  const block = section?.blocks.find(({ kind }) => kind === 'chart');
  return block?.kind === 'chart' ? chartPicture(block.chart) : null;
}
