import type { AreaChange } from '../../core/followup/area-change.js';
import type { AreaSlope } from '../../core/followup/area-slope.js';
import type { FlagCode } from '../../core/followup/flag-codes.js';
import type { SeriesComparison, SeriesPoint } from '../../core/followup/series.js';
import type { ReportContent, TrendPoint } from '../../core/report/clinical-report.js';
import { notice, paragraph, type Block, type Pen, type Section } from './document-blocks.js';
import { rangeText } from './measurement-section.js';

/** The changes since the previous and the first assessment, or why none are stated. `trend`: the areas that the wound has. */
export function changeSection(pen: Pen, comparison: SeriesComparison, trend: readonly TrendPoint[]): Section {
  const heading = pen.say('section.change');
  if (comparison.noTrendReason !== null) return { heading, blocks: withoutTrend(pen, comparison, trend) };
  if (comparison.sincePrevious === null) return { heading, blocks: [paragraph(firstText(pen, comparison))] };
  return { heading, blocks: [...warningBlocks(pen, comparison), changeTable(pen, comparison)] };
}

/** Why nothing is compared yet. */
export function firstText({ say }: Pen, { closure }: SeriesComparison): string {
  return say(closure === null ? 'change.first' : 'change.firstSinceClosure');
}

/** Better or worse in few words; null if nothing is compared. */
export function verdict(pen: Pen, { comparison, flags }: Pick<ReportContent, 'comparison' | 'flags'>): string | null {
  const { say } = pen;
  const { sincePrevious, trend } = comparison;
  if (sincePrevious === null) return null;
  const previous = previousText(pen, comparison);
  if (trend === null) return say('trend.notComparable', { previous });
  if (!isBySlope(comparison)) {
    const isSincePrevious = trend !== 'larger' || (sincePrevious.beyondDetectable && sincePrevious.areaPct > 0);
    return isSincePrevious ? say(`verdict.pair.${trend}`, { previous }) : say('verdict.smallest.larger');
  }
  const has = (...codes: readonly FlagCode[]) => flags.some(({ code }) => codes.includes(code));
  if (trend === 'smaller' || (trend === 'within_detectable_change' && hasShrunk(comparison))) {
    if (has('area_growth')) return say('verdict.slope.grownAgain', { previous });
    if (has('stalled_14_days', 'stalled_28_days')) return say('verdict.slope.stalled');
  }
  return say(`verdict.slope.${trend}`);
}

/** What stands still now is smaller than it was at first. */
function hasShrunk({ sinceBaseline }: SeriesComparison): boolean {
  return (
    sinceBaseline !== null &&
    sinceBaseline.warnings.length === 0 &&
    sinceBaseline.beyondDetectable &&
    sinceBaseline.areaPct < 0
  );
}

/** How surely: the figures that the verdict rests on. */
export function verdictBasis(pen: Pen, comparison: SeriesComparison): string[] {
  const { say, figures } = pen;
  const { sincePrevious, trend, slope } = comparison;
  if (sincePrevious === null || trend === null) return [];
  if (isBySlope(comparison)) return [say('verdict.basis.slope', slopeValues(pen, slope!))];
  const detectable = figures.percent(sincePrevious.minimalDetectableChangePct);
  return [say(sincePrevious.beyondDetectable ? 'verdict.basis.beyond' : 'verdict.basis.within', { detectable })];
}

function isBySlope({ trendBasis, slope }: SeriesComparison): boolean {
  return trendBasis === 'slope' && slope !== null;
}

function slopeValues({ figures }: Pen, { assessments, days, pctPerWeek }: AreaSlope): Record<string, string> {
  const { value, lower, upper } = pctPerWeek;
  return {
    count: figures.number(assessments),
    span: figures.days(days),
    rate: figures.signedPercent(value),
    lower: figures.signedPercent(lower),
    upper: figures.signedPercent(upper),
  };
}

function withoutTrend(
  { say, figures }: Pen,
  { noTrendReason, previous }: SeriesComparison,
  trend: readonly TrendPoint[],
): Block[] {
  const reason = noTrendReason === null ? [] : [notice(say(`noTrend.${noTrendReason}`))];
  if (previous === null) return reason;
  const date = figures.captured(previous);
  const isDoubtful = trend.some((point) => point.reportId === previous.reportId && point.isDoubtful === true);
  const last = say('change.lastMeasured', { date, area: figures.areaWithin(previous.areaCm2) });
  return [...reason, paragraph(isDoubtful ? `${last} ${say('change.lastDoubtful')}` : last)];
}

function warningBlocks(pen: Pen, comparison: SeriesComparison): Block[] {
  const warnings = [
    ...new Set([comparison.sincePrevious, comparison.sinceBaseline].flatMap((change) => change?.warnings ?? [])),
  ];
  return warnings.length === 0
    ? []
    : [{ kind: 'list', items: warnings.map((warning) => warningText(pen, comparison, warning)) }];
}

/** Says which of the two comparisons a warning is about, where it is not both. */
function warningText({ say }: Pen, comparison: SeriesComparison, warning: AreaChange['warnings'][number]): string {
  const { sincePrevious, sinceBaseline } = comparison;
  const text = say(`warning.${warning}`);
  const [previous, baseline] = [sincePrevious, sinceBaseline].map(
    (change) => change?.warnings.includes(warning) ?? false,
  );
  if (previous === baseline || sinceBaseline === null) return text;
  return `${say('change.since')} ${say(previous ? `change.${previousPlaceOf(comparison)}` : 'change.baseline')}${say('colon')}${text}`;
}

interface Column {
  readonly name: string;
  readonly point: SeriesPoint;
  readonly change: AreaChange;
}

/** As what the earlier assessment of the pair is named: photos that cannot be compared or measured may lie between. */
export type PreviousPlace = 'previous' | 'comparable' | 'measured';

export function previousPlaceOf({ previous, previousAssessment, sincePrevious }: SeriesComparison): PreviousPlace {
  if (previous === null || previousAssessment === null) return 'previous';
  if (previous.reportId === previousAssessment.reportId) return 'previous';
  return sincePrevious?.warnings.length === 0 ? 'comparable' : 'measured';
}

/** The same within a sentence. */
export function previousText({ say }: Pen, comparison: SeriesComparison): string {
  return say(`place.${previousPlaceOf(comparison)}`);
}

/** The previous assessment, the first and the smallest, each once. */
function columnsOf({ say }: Pen, comparison: SeriesComparison): Column[] {
  const { previous, baseline, smallest, sincePrevious, sinceBaseline, sinceSmallest } = comparison;
  const place = previousPlaceOf(comparison);
  const isFirst = previous?.reportId === baseline?.reportId && place === 'previous';
  const compared = [
    {
      name: say(isFirst ? 'change.previousIsFirst' : `change.${place}`),
      point: previous,
      change: sincePrevious,
    },
    { name: say('change.baseline'), point: baseline, change: sinceBaseline },
    { name: say('change.smallest'), point: smallest, change: sinceSmallest },
  ];
  const shown = new Set<string>();
  return compared.flatMap(({ name, point, change }) => {
    if (point === null || change === null || shown.has(point.reportId)) return [];
    shown.add(point.reportId);
    return [{ name, point, change }];
  });
}

function changeTable(pen: Pen, comparison: SeriesComparison): Block {
  const columns = columnsOf(pen, comparison);
  return {
    kind: 'table',
    columns: [pen.say('change.since'), ...columns.map(({ name }) => name)],
    rows: changeRows(pen, columns),
    widths: [5, 4, 4, 4].slice(0, columns.length + 1),
  };
}

function changeRows(pen: Pen, columns: readonly Column[]): string[][] {
  const { say, figures } = pen;
  const row = (label: string, text: (column: Column) => string) => [label, ...columns.map(text)];
  const tooShort = say('change.tooShort');
  return [
    row(say('change.date'), ({ point }) => figures.capturedDay(point)),
    row(
      say('change.areaThen'),
      ({ point: { areaCm2 } }) => `${figures.areaWithin(areaCm2)} (${rangeText(pen, areaCm2, 'cm2')})`,
    ),
    row(say('change.days'), ({ change }) => figures.days(change.days)),
    row(
      say('change.areaPct'),
      ({ change }) => `${figures.signedPercent(change.areaPct)} (${figures.signedAreaCm2(change.areaCm2)})`,
    ),
    row(say('change.beyond'), ({ change: { beyondDetectable, minimalDetectableChangePct, warnings } }) =>
      say(warnings.length > 0 ? 'change.isNotJudged' : beyondDetectable ? 'change.isBeyond' : 'change.isWithin', {
        detectable: figures.percent(minimalDetectableChangePct),
      }),
    ),
    row(say('change.rate'), ({ change: { areaCm2PerWeek } }) =>
      areaCm2PerWeek === null ? tooShort : figures.areaCm2PerWeek(areaCm2PerWeek),
    ),
    row(say('change.margin'), ({ change: { marginAdvanceMmPerDay } }) =>
      marginAdvanceMmPerDay === null ? tooShort : figures.mmPerDay(marginAdvanceMmPerDay),
    ),
  ];
}
