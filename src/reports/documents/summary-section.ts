import type { AreaChange } from '../../core/followup/area-change.js';
import type { SeriesPoint } from '../../core/followup/series.js';
import type { ReportContent } from '../../core/report/clinical-report.js';
import { trendSentence } from './change-section.js';
import { paragraph, type Pen, type Section } from './document-blocks.js';
import { flagText } from './flag-section.js';
import { obstacleOf, rangeText } from './measurement-section.js';

/** The report at one glance. */
export function summarySection(pen: Pen, content: ReportContent): Section {
  const [first, ...rest] = summarySentences(pen, content);
  return { heading: pen.say('section.summary'), blocks: [{ kind: 'headline', text: first! }, ...rest.map(paragraph)] };
}

/** The measures, their change and the flags in brief; the same sentences wherever a report is summarized. */
export function summarySentences(pen: Pen, { findings, comparison, flags }: ReportContent): string[] {
  const { say, figures } = pen;
  const area = findings.figures?.area.cm2 ?? null;
  return [
    ...(area === null
      ? []
      : [say('finding.area', { area: figures.areaCm2(area.value), range: rangeText(pen, area, 'cm2') })]),
    obstacleOf(pen, findings),
    findings.otherOutlines === 0
      ? null
      : say('finding.otherOutlinesSummary', { count: figures.number(findings.otherOutlines) }),
    changeSentence(pen, 'finding.sincePrevious', comparison.previous, comparison.sincePrevious),
    trendSentence(pen, comparison),
    isOtherPoint(comparison.previous, comparison.baseline)
      ? changeSentence(pen, 'finding.sinceBaseline', comparison.baseline, comparison.sinceBaseline)
      : null,
    ...flags.map((flag) => flagText(pen, flag)),
  ].filter((sentence) => sentence !== null);
}

function changeSentence(
  { say, figures }: Pen,
  key: 'finding.sincePrevious' | 'finding.sinceBaseline',
  point: SeriesPoint | null,
  change: AreaChange | null,
): string | null {
  if (point === null || change === null) return null;
  return say(key, {
    percent: figures.signedPercent(change.areaPct),
    inDays: figures.inDays(change.days),
    date: figures.day(point.capturedAt),
  });
}

function isOtherPoint(previous: SeriesPoint | null, baseline: SeriesPoint | null): boolean {
  return previous?.reportId !== baseline?.reportId;
}
