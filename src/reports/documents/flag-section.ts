import type { NoTrendReason } from '../../core/followup/assessment.js';
import type { AttentionReason } from '../../core/followup/attention.js';
import type { FollowUpFlag } from '../../core/followup/flags.js';
import { FIRST_MILESTONE_DAYS, milestonesFor } from '../../core/followup/milestones.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import { woundKindOf } from '../../core/followup/wound-kinds.js';
import type { ClinicalReport, ReportContent } from '../../core/report/clinical-report.js';
import { previousText } from './change-section.js';
import { concernTexts } from './course-section.js';
import { oneLine } from './given-text.js';
import { necrosisTexts } from './necrosis-text.js';
import { cautionTexts, childTexts } from './quality-section.js';
import { notice, paragraph, type Block, type Pen, type Section } from './document-blocks.js';

const ADVISED = ['no_wound_outlined', 'multiple_outlines', 'no_scale'] as const;
type Advised = (typeof ADVISED)[number];

/** What waits for a person, what people decided of the wound, and the flags, numbered as on the curve. */
export function flagSection(pen: Pen, content: ReportContent): Section {
  const { flags, comparison } = content;
  const notices = [
    ...attentionTexts(pen, comparison),
    ...childTexts(pen, content),
    ...cautionTexts(pen, content),
    ...closureTexts(pen, comparison),
    ...adviceTexts(pen, comparison),
    ...openWoundTexts(pen, content),
  ].map(notice);
  const items = flags.map((flag) => flagText(pen, flag, comparison));
  const list: Block[] = items.length === 0 ? [] : [{ kind: 'numbered', items }];
  const concerns = [...concernTexts(pen, comparison, flags), ...necrosisTexts(pen, comparison)];
  const concernList: Block[] = concerns.length === 0 ? [] : [{ kind: 'list', items: concerns }];
  const nothing = notices.length + items.length + concerns.length === 0 ? [paragraph(pen.say('flag.none'))] : [];
  return { heading: pen.say('section.flags'), blocks: [...notices, ...list, ...concernList, ...nothing] };
}

/** What no open wound does not say: nothing else is looked for. */
export function openWoundTexts({ say }: Pen, { findings }: Pick<ReportContent, 'findings'>): string[] {
  return findings.woundDetected ? [] : [say('quality.open_wounds_only')];
}

/** Why the result waits for a person, and what that person can do. */
export function attentionTexts(pen: Pen, comparison: SeriesComparison): string[] {
  const { attention } = comparison;
  return attention.map((reason) => `${attentionText(pen, comparison, reason)} ${pen.say('attention.waits')}`);
}

/** What is to be checked for one reason. */
export function attentionText({ say }: Pen, { ageGroup }: SeriesComparison, reason: AttentionReason): string {
  const isOfChild = reason === 'area_implausible' && ageGroup !== undefined;
  return say(isOfChild ? 'attention.area_implausible_child' : `attention.${reason}`);
}

/** What a person can do where the photo alone does not tell how large the wound is. */
function adviceTexts({ say }: Pen, { noTrendReason }: SeriesComparison): string[] {
  const isAdvised = (reason: NoTrendReason | null): reason is Advised => ADVISED.includes(reason as Advised);
  return isAdvised(noTrendReason) ? [say(`advice.${noTrendReason}`)] : [];
}

/** Empty where the photo was taken of a wound that nobody had closed. */
export function closureTexts({ say, figures }: Pen, { closure }: SeriesComparison): string[] {
  if (closure === null) return [];
  const { closedAt, reopenedAt } = closure;
  const closed = figures.day(closedAt);
  return [
    reopenedAt === null
      ? say('closure.notReopened', { closed })
      : say('closure.reopened', { closed, reopened: figures.day(reopenedAt) }),
  ];
}

/** The sources of flags, of which wounds they tell, and that there are none for this kind of wound; null where nothing of it is to be said. */
export function evidenceSection(pen: Pen, content: ReportContent): Section | null {
  const texts = [...evidenceTexts(pen, content.flags), ...withoutMilestone(pen, content)];
  return texts.length === 0 ? null : { heading: pen.say('section.evidence'), blocks: texts.map(paragraph) };
}

/** From four weeks on: why no published milestone is held against the wound. */
function withoutMilestone({ say }: Pen, { subject, comparison, flags }: ReportContent): string[] {
  const kind = woundKindOf(subject.woundType);
  if (flags.some(({ evidenceFor }) => evidenceFor !== null)) return [];
  if ((comparison.sinceBaseline?.days ?? 0) < FIRST_MILESTONE_DAYS) return [];
  if (comparison.ageGroup !== undefined) return [say('milestone.child')];
  if (milestonesFor(kind) !== null) return [];
  return [say(kind === 'unstated' ? 'milestone.unstated' : 'milestone.other')];
}

/** The flags of all assessments, each with the date of its photo; sources are named once. */
export function courseFlagSection(pen: Pen, reports: readonly ClinicalReport[]): Section {
  const { say, figures } = pen;
  const items = reports.flatMap(({ content }) =>
    [
      ...content.flags.map((flag) => flagText(pen, flag, content.comparison)),
      ...concernTexts(pen, content.comparison, content.flags),
      ...necrosisTexts(pen, content.comparison),
    ].map((flag) => say('flag.withDate', { date: figures.captured(content), flag })),
  );
  const flags = reports.flatMap(({ content }) => content.flags);
  const notices = courseNotices(pen, reports).map(notice);
  const listed = notices.length > 0 && items.length === 0 ? [] : flagBlocks(pen, items, flags);
  return { heading: say('section.flags'), blocks: [...notices, ...listed] };
}

/** What waits for a person, with the date of its photo, that photos are of a child, and whether the wound was closed before the last one. */
function courseNotices(pen: Pen, reports: readonly ClinicalReport[]): string[] {
  const { say, figures } = pen;
  const last = reports.at(-1);
  return [
    ...reports.flatMap(({ content }) =>
      attentionTexts(pen, content.comparison).map((flag) =>
        say('flag.withDate', { date: figures.captured(content), flag }),
      ),
    ),
    ...new Set(reports.flatMap(({ content }) => childTexts(pen, content))),
    ...(last === undefined ? [] : closureTexts(pen, last.content.comparison)),
  ];
}

/** States what was measured, never what will come. */
export function flagText(pen: Pen, flag: FollowUpFlag, comparison: SeriesComparison): string {
  const { say, figures } = pen;
  const { code, value, days, words = [], interval = null } = flag;
  const isShare = code === 'necrosis_rising';
  const signed = (change: number) => (isShare ? figures.signedPoints(change) : figures.signedPercent(change));
  const range = interval && say('range', { lower: signed(interval.lower), upper: signed(interval.upper) });
  return say(`flag.${code}`, {
    change: signed(value),
    amount: figures.percent(Math.abs(value)),
    happened: happenedText(pen, flag),
    previous: previousText(pen, comparison),
    interval: range === null ? '' : say('flag.interval', { range }),
    inDays: figures.inDays(days),
    days: figures.days(days),
    factor: figures.number(value),
    words: words.map((text) => say('quote', { text: oneLine(text) })).join(', '),
  });
}

/** What became of the area since the first assessment: growth is never called a small reduction. */
function happenedText({ say, figures }: Pen, { value, days }: FollowUpFlag): string {
  const key = value < 0 ? 'area.reduced' : value > 0 ? 'area.grown' : 'area.same';
  return say(key, { amount: figures.percent(Math.abs(value)), inDays: figures.inDays(days) });
}

function flagBlocks(pen: Pen, items: readonly string[], flags: readonly FollowUpFlag[]): Block[] {
  if (items.length === 0) return [paragraph(pen.say('flag.none'))];
  return [{ kind: 'list', items }, ...evidenceTexts(pen, flags).map(paragraph)];
}

function evidenceTexts({ say }: Pen, flags: readonly FollowUpFlag[]): string[] {
  const withEvidence = flags.filter(({ evidence }) => evidence.length > 0);
  if (withEvidence.length === 0) return [];
  const sources = [...new Set(withEvidence.flatMap(({ evidence }) => evidence))].map((source) =>
    say('flag.source', { source: say(`evidence.${source}`) }),
  );
  const scopes = withEvidence.flatMap((flag) => (flag.evidenceFor === null ? [] : [scopeOf(flag)]));
  return [
    ...[...new Set(scopes)].map((scope) => say(scope)),
    ...sources,
    say('flag.notPrediction'),
    `${say('notice.decisionSupport')}.`,
  ];
}

function scopeOf({
  evidenceFor,
  woundTypeKnown,
}: FollowUpFlag): 'flag.scopeVenous' | 'flag.scopeKnown' | 'flag.scopeUnknown' {
  if (evidenceFor === 'venous_leg_ulcer') return 'flag.scopeVenous';
  return woundTypeKnown ? 'flag.scopeKnown' : 'flag.scopeUnknown';
}
