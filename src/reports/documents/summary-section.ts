import type { AssessmentFindings, NoTrendReason } from '../../core/followup/assessment.js';
import type { SeriesComparison, SeriesPoint } from '../../core/followup/series.js';
import type { MeasureUnit } from '../../core/measurement/measures.js';
import type { Bounds } from '../../core/measurement/wound-result.js';
import type { ReportContent, ReportPictures } from '../../core/report/clinical-report.js';
import { firstText, previousText, verdict, verdictBasis } from './change-section.js';
import { concernTexts, courseText } from './course-section.js';
import { paragraph, type Block, type Pen, type Section } from './document-blocks.js';
import { relationText, resetText } from './event-section.js';
import { attentionText, closureTexts, flagText, openWoundTexts } from './flag-section.js';
import { obstacleOf, rangeText } from './measurement-section.js';
import { closeUpBlocks, overviewBlocks } from './photo-section.js';
import { necrosisTexts } from './necrosis-text.js';
import { cautionTexts, childTexts } from './quality-section.js';

/** What is in the photo says so itself. */
const WITHOUT_AREA: readonly NoTrendReason[] = ['no_wound_outlined', 'multiple_outlines', 'no_scale'];

/** The report at one glance: how large, and better or worse; with the photo beside it. */
export function summarySection(pen: Pen, content: ReportContent, pictures: ReportPictures | null): Section {
  const { findings } = content;
  const tiles = tilesOf(pen, findings);
  const [first, ...rest] = glance(pen, content);
  const headline: Block[] = first === undefined ? [] : [{ kind: 'headline', text: first }];
  const words = rest.map(paragraph);
  const body: Block[] =
    pictures === null
      ? words
      : [
          {
            kind: 'columns',
            left: [...words, ...closeUpBlocks(pen, pictures, findings)],
            right: overviewBlocks(pen, pictures, findings),
            leftShare: 0.5,
          },
        ];
  return { heading: pen.say('section.summary'), blocks: [...headline, ...(tiles === null ? [] : [tiles]), ...body] };
}

/** The largest figures of the page; null where nothing was measured. */
function tilesOf(pen: Pen, { figures: measured }: AssessmentFindings): Block | null {
  const { say, figures } = pen;
  const area = measured?.area.cm2 ?? null;
  if (measured === null || area === null) return null;
  const interval = (bounds: Bounds, unit: MeasureUnit) =>
    `${say('measure.interval')}${say('colon')}${rangeText(pen, bounds, unit)}`;
  const lengths = (['length', 'width'] as const).flatMap((measure) => {
    const { cm } = measured[measure];
    if (cm === null) return [];
    return [{ label: say(`tile.${measure}`), value: figures.lengthCm(cm.value), detail: interval(cm, 'cm') }];
  });
  const areaTile = { label: say('measure.area'), value: figures.areaWithin(area), detail: interval(area, 'cm2') };
  return { kind: 'tiles', tiles: [areaTile, ...lengths] };
}

/** Better or worse, or why nothing is said of it: the conclusion first, then what it rests on. */
function glance(pen: Pen, { findings, comparison, flags }: ReportContent): string[] {
  const { say, figures } = pen;
  const { noTrendReason } = comparison;
  const isObstacleShown = noTrendReason === null || WITHOUT_AREA.includes(noTrendReason);
  return [
    headlineOf(pen, comparison),
    obstacleOf(pen, findings),
    isObstacleShown ? null : say(`noTrend.${noTrendReason}`),
    verdict(pen, { comparison, flags }) ?? (noTrendReason === null ? firstText(pen, comparison) : null),
    ...verdictBasis(pen, comparison),
    ...changeSentences(pen, comparison),
    findings.otherOutlines === 0
      ? null
      : say('finding.otherOutlinesSummary', { count: figures.number(findings.otherOutlines) }),
  ].filter((sentence) => sentence !== null);
}

/** The verdict with its reasons; null where it is not known, and what stands in its way says so itself. */
function headlineOf(pen: Pen, comparison: SeriesComparison): string | null {
  const { course } = comparison;
  const known =
    course === undefined || course.verdict === 'unknown' ? treatedText(pen, comparison) : courseText(pen, comparison);
  return known === '' ? null : known;
}

/** Since when the area counts anew, and why. */
function treatedText(pen: Pen, comparison: SeriesComparison): string {
  return [resetText(pen, comparison), relationText(pen, comparison)].filter((text) => text !== '').join(' ');
}

/** The measures, their change and the flags in brief; the same sentences wherever a report is summarized. */
export function summarySentences(pen: Pen, { findings, comparison, flags, review }: ReportContent): string[] {
  const { say, figures } = pen;
  const area = findings.figures?.area.cm2 ?? null;
  return [
    headlineOf(pen, comparison),
    ...attentionSentences(pen, comparison),
    ...childTexts(pen, { comparison, review }),
    ...cautionTexts(pen, { findings, review }),
    ...(area === null
      ? []
      : [say('finding.area', { area: figures.areaWithin(area), range: rangeText(pen, area, 'cm2') })]),
    obstacleOf(pen, findings),
    ...openWoundTexts(pen, { findings }),
    findings.otherOutlines === 0
      ? null
      : say('finding.otherOutlinesSummary', { count: figures.number(findings.otherOutlines) }),
    verdict(pen, { comparison, flags }),
    ...verdictBasis(pen, comparison),
    // A flag that compares with the same assessment says it with its interval.
    ...changeSentences(pen, comparison, (place) => flags.every(({ comparedWith }) => comparedWith !== place)),
    ...closureTexts(pen, comparison),
    ...flags.map((flag) => flagText(pen, flag, comparison)),
    ...concernTexts(pen, comparison, flags),
    ...necrosisTexts(pen, comparison),
  ].filter((sentence) => sentence !== null);
}

/** What a person is asked to check before anything is concluded. */
function attentionSentences(pen: Pen, comparison: SeriesComparison): string[] {
  return comparison.attention.map((reason) => attentionText(pen, comparison, reason));
}

function changeSentences(
  pen: Pen,
  comparison: SeriesComparison,
  isWanted: (place: 'previous' | 'baseline') => boolean = () => true,
): (string | null)[] {
  return [
    isWanted('previous') ? changeSentence(pen, 'finding.sincePrevious', comparison, 'previous') : null,
    isOtherPoint(comparison.previous, comparison.baseline) && isWanted('baseline')
      ? changeSentence(pen, 'finding.sinceBaseline', comparison, 'baseline')
      : null,
  ];
}

function changeSentence(
  pen: Pen,
  key: 'finding.sincePrevious' | 'finding.sinceBaseline',
  comparison: SeriesComparison,
  place: 'previous' | 'baseline',
): string | null {
  const { say, figures } = pen;
  const point = comparison[place];
  const change = place === 'previous' ? comparison.sincePrevious : comparison.sinceBaseline;
  if (point === null || change === null) return null;
  const text = say(key, {
    previous: previousText(pen, comparison),
    percent: figures.signedPercent(change.areaPct),
    inDays: figures.inDays(change.days),
    date: figures.capturedDay(point),
  });
  // Of the previous one the verdict says so.
  const isUnsaid = place === 'baseline' && change.warnings.length > 0;
  return isUnsaid ? `${text} ${say('change.notSafe')}` : text;
}

function isOtherPoint(previous: SeriesPoint | null, baseline: SeriesPoint | null): boolean {
  return previous?.reportId !== baseline?.reportId;
}
