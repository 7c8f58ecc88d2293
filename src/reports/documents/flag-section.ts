import type { FollowUpFlag } from '../../core/followup/flags.js';
import type { ClinicalReport } from '../../core/report/clinical-report.js';
import { oneLine } from './given-text.js';
import { paragraph, type Block, type Pen, type Section } from './document-blocks.js';

/** The flags, numbered as on the curve. */
export function flagSection(pen: Pen, flags: readonly FollowUpFlag[]): Section {
  const heading = pen.say('section.flags');
  if (flags.length === 0) return { heading, blocks: [paragraph(pen.say('flag.none'))] };
  return { heading, blocks: [{ kind: 'numbered', items: flags.map((flag) => flagText(pen, flag)) }] };
}

/** The sources of flags, and of which wounds they tell; null where no flag rests on any. */
export function evidenceSection(pen: Pen, flags: readonly FollowUpFlag[]): Section | null {
  const texts = evidenceTexts(pen, flags);
  return texts.length === 0 ? null : { heading: pen.say('section.evidence'), blocks: texts.map(paragraph) };
}

/** The flags of all assessments, each with the date of its photo; sources are named once. */
export function courseFlagSection(pen: Pen, reports: readonly ClinicalReport[]): Section {
  const { say, figures } = pen;
  const items = reports.flatMap(({ content }) =>
    content.flags.map((flag) =>
      say('flag.withDate', { date: figures.moment(content.capturedAt), flag: flagText(pen, flag) }),
    ),
  );
  return {
    heading: say('section.flags'),
    blocks: flagBlocks(
      pen,
      items,
      reports.flatMap(({ content }) => content.flags),
    ),
  };
}

/** States what was measured, never what will come. */
export function flagText({ say, figures }: Pen, { code, value, days, words = [] }: FollowUpFlag): string {
  const change = code === 'necrosis_rising' ? figures.signedPoints(value) : figures.signedPercent(value);
  return say(`flag.${code}`, {
    change,
    inDays: figures.inDays(days),
    days: figures.days(days),
    words: words.map(oneLine).join('; '),
  });
}

function flagBlocks(pen: Pen, items: readonly string[], flags: readonly FollowUpFlag[]): Block[] {
  if (flags.length === 0) return [paragraph(pen.say('flag.none'))];
  return [{ kind: 'list', items }, ...evidenceTexts(pen, flags).map(paragraph)];
}

function evidenceTexts({ say }: Pen, flags: readonly FollowUpFlag[]): string[] {
  const withEvidence = flags.filter(({ evidence }) => evidence.length > 0);
  if (withEvidence.length === 0) return [];
  const sources = [...new Set(withEvidence.flatMap(({ evidence }) => evidence))].map((source) =>
    say('flag.source', { source: say(`evidence.${source}`) }),
  );
  const limited = withEvidence.filter(({ evidenceFor }) => evidenceFor !== null);
  const scope =
    limited.length === 0
      ? []
      : [say(limited.every(({ woundTypeKnown }) => woundTypeKnown) ? 'flag.scopeKnown' : 'flag.scopeUnknown')];
  return [...scope, ...sources, say('flag.notPrediction'), `${say('notice.decisionSupport')}.`];
}
