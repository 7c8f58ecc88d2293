import type { AreaChange } from '../../core/followup/area-change.js';
import type { SeriesComparison, SeriesPoint } from '../../core/followup/series.js';
import { notice, paragraph, type Block, type Pen, type Section } from './document-blocks.js';
import { rangeText } from './measurement-section.js';

/** The changes since the previous and the first assessment, or why none are stated. */
export function changeSection(pen: Pen, comparison: SeriesComparison): Section {
  const heading = pen.say('section.change');
  if (comparison.noTrendReason !== null) return { heading, blocks: withoutTrend(pen, comparison) };
  if (comparison.sincePrevious === null) return { heading, blocks: [paragraph(pen.say('change.first'))] };
  return { heading, blocks: [...trendBlocks(pen, comparison), changeTable(pen, comparison)] };
}

/** The meaning of the change in one sentence; null if nothing is compared. */
export function trendSentence(
  { say, figures }: Pen,
  { sincePrevious, trend, trendBasis, slope }: SeriesComparison,
): string | null {
  if (sincePrevious === null) return null;
  if (trend !== null && trendBasis === 'slope' && slope !== null) {
    const { value, lower, upper } = slope.pctPerWeek;
    return say(`trend.bySlope.${trend}`, {
      count: figures.number(slope.assessments),
      span: figures.days(slope.days),
      rate: figures.signedPercent(value),
      lower: figures.signedPercent(lower),
      upper: figures.signedPercent(upper),
    });
  }
  return say(trend === null ? 'trend.notComparable' : `trend.${trend}`);
}

function withoutTrend({ say, figures }: Pen, { noTrendReason, previous }: SeriesComparison): Block[] {
  const reason = noTrendReason === null ? [] : [notice(say(`noTrend.${noTrendReason}`))];
  if (previous === null) return reason;
  const date = figures.moment(previous.capturedAt);
  return [...reason, paragraph(say('change.lastMeasured', { date, area: figures.areaCm2(previous.areaCm2.value) }))];
}

function trendBlocks(pen: Pen, comparison: SeriesComparison): Block[] {
  const sentence = trendSentence(pen, comparison);
  const warnings = [
    ...new Set([comparison.sincePrevious, comparison.sinceBaseline].flatMap((change) => change?.warnings ?? [])),
  ];
  const blocks: Block[] = sentence === null ? [] : [paragraph(sentence)];
  return warnings.length === 0
    ? blocks
    : [...blocks, { kind: 'list', items: warnings.map((warning) => warningText(pen, comparison, warning)) }];
}

/** Says which of the two comparisons a warning is about, where it is not both. */
function warningText(
  { say }: Pen,
  { sincePrevious, sinceBaseline }: SeriesComparison,
  warning: AreaChange['warnings'][number],
): string {
  const text = say(`warning.${warning}`);
  const [previous, baseline] = [sincePrevious, sinceBaseline].map(
    (change) => change?.warnings.includes(warning) ?? false,
  );
  if (previous === baseline || sinceBaseline === null) return text;
  return `${say('change.since')} ${say(previous ? 'change.previous' : 'change.baseline')}${say('colon')}${text}`;
}

type Column = readonly [point: SeriesPoint, change: AreaChange];

function changeTable(pen: Pen, { previous, baseline, sincePrevious, sinceBaseline }: SeriesComparison): Block {
  const { say } = pen;
  const columns: Column[] = [];
  const isFirst = previous?.reportId === baseline?.reportId;
  if (previous !== null && sincePrevious !== null) columns.push([previous, sincePrevious]);
  if (baseline !== null && sinceBaseline !== null && !isFirst) columns.push([baseline, sinceBaseline]);
  const names = isFirst ? [say('change.previousIsFirst')] : [say('change.previous'), say('change.baseline')];
  return {
    kind: 'table',
    columns: [say('change.since'), ...names],
    rows: changeRows(pen, columns),
    widths: [4, 4, 4].slice(0, columns.length + 1),
  };
}

function changeRows(pen: Pen, columns: readonly Column[]): string[][] {
  const { say, figures } = pen;
  const row = (label: string, text: (...column: Column) => string) => [
    label,
    ...columns.map((column) => text(...column)),
  ];
  const tooShort = say('change.tooShort');
  const range = (point: SeriesPoint) => rangeText(pen, point.areaCm2, 'cm2');
  return [
    row(say('change.date'), ({ capturedAt }) => figures.moment(capturedAt)),
    row(say('change.areaThen'), ({ areaCm2 }) => figures.areaCm2(areaCm2.value)),
    row(say('measure.interval'), range),
    row(say('change.days'), (_, { days }) => figures.days(days)),
    row(say('change.areaPct'), (_, { areaPct }) => figures.signedPercent(areaPct)),
    row(say('change.areaCm2'), (_, { areaCm2 }) => figures.signedAreaCm2(areaCm2)),
    row(say('change.detectable'), (_, { minimalDetectableChangePct }) => figures.percent(minimalDetectableChangePct)),
    row(say('change.beyond'), (_, { beyondDetectable }) => say(beyondDetectable ? 'change.yes' : 'change.no')),
    row(say('change.rate'), (_, { areaCm2PerWeek }) =>
      areaCm2PerWeek === null ? tooShort : figures.areaCm2PerWeek(areaCm2PerWeek),
    ),
    row(say('change.margin'), (_, { marginAdvanceMmPerDay }) =>
      marginAdvanceMmPerDay === null ? tooShort : figures.mmPerDay(marginAdvanceMmPerDay),
    ),
  ];
}
