import type { WoundToTell } from '../../core/ehrs/wounds-to-tell.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import type { Language } from '../wording/language.js';
import { conceptWords } from './concept-words.js';
import type { Pen } from './document-blocks.js';
import { concernTexts, courseText } from './course-section.js';
import { attentionText, closureTexts, flagText } from './flag-section.js';
import { oneLine } from './given-text.js';
import { necrosisTexts } from './necrosis-text.js';
import { cautionTexts } from './quality-section.js';
import { penOf, timeZoneOf } from './report-document.js';

/** A wound as a card of CDS Hooks shows it, in the sentences of its report, so that neither is kinder. */
export interface WoundCardText {
  /** Fewer than 140 characters, without markup. */
  readonly summary: string;
  /** GitHub Flavored Markdown; what callers wrote has none. */
  readonly detail: string;
  /** What a link to the review desk is called. */
  readonly openLabel: string;
}

/** CDS Hooks 2.0, card attributes. */
const SUMMARY_BELOW = 140;

/** States what was measured and decided, never what will come. */
export function tellWoundCard(told: WoundToTell, language: Language): WoundCardText {
  const pen = penOf(language, timeZoneOf(told.reading));
  const { say } = pen;
  const { content, status } = told.reading.report;
  const comparison: SeriesComparison =
    told.course === null ? content.comparison : { ...content.comparison, course: told.course };
  const isKnown = comparison.course !== undefined;
  const points = [
    ...concernTexts(pen, comparison, content.flags),
    ...necrosisTexts(pen, comparison),
    ...content.flags.map((flag) => flagText(pen, flag, comparison)),
    ...comparison.attention.map((reason) => attentionText(pen, comparison, reason)),
    ...cautionTexts(pen, content),
    ...closureTexts(pen, comparison),
  ];
  const facts = [
    say('card.lastPhoto', { date: pen.figures.capturedDay(content) }),
    ...(told.waiting === 0 ? [] : [say('card.waiting', { count: pen.figures.number(told.waiting) })]),
    ...(status === 'preliminary' ? [`${say('mark.preliminary')}.`] : []),
    ...(told.milestones.length === 0 ? [] : [say('flag.notPrediction')]),
    `${say('notice.decisionSupport')}.`,
    ...(content.models.some(({ researchOnly }) => researchOnly) ? [say('notice.researchOnly')] : []),
  ];
  const headline = isKnown ? courseText(pen, comparison) : say('verdict.unknown');
  const paragraphs = [escaped(headline), listOf(points), facts.map(escaped).join(' ')];
  return {
    summary: summaryOf(pen, told),
    detail: paragraphs.filter((text) => text !== '').join('\n\n'),
    openLabel: say('card.open'),
  };
}

/** The wound, and the gravest thing to say of it. */
function summaryOf(pen: Pen, told: WoundToTell): string {
  const { say } = pen;
  const said = sentenceOf(pen, told);
  const place = placeOf(pen, told);
  const room = SUMMARY_BELOW - 1 - said.length - say('colon').length;
  return plain(`${cut(place, room)}${say('colon')}${said}`);
}

function sentenceOf({ say, figures }: Pen, { reading, course, isWorse, ...told }: WoundToTell): string {
  if (isWorse && course !== null) return say(`verdict.${course.verdict}`, { date: figures.day(course.since) });
  if (told.mayBeSpreading) return say('card.mayBeSpreading');
  if (told.milestones.length > 0) return say('card.milestone');
  if (told.waiting > 0) return say('card.waiting', { count: figures.number(told.waiting) });
  return say('card.lastPhoto', { date: figures.capturedDay(reading.report.content) });
}

/** Site and side; else the caller's own number. */
function placeOf({ say }: Pen, { reading }: WoundToTell): string {
  const { bodySite, laterality, woundId } = reading.report.content.subject;
  const site = bodySite === null ? null : conceptWords(say, bodySite);
  const side = laterality === null ? null : say(`laterality.${laterality}`);
  const place = [site, side].filter((part) => part !== null).join(', ');
  if (place !== '') return place;
  return woundId === null ? say('card.wound') : `${say('card.wound')} ${oneLine(woundId)}`;
}

function cut(text: string, mostLetters: number): string {
  if (text.length <= mostLetters) return text;
  // Not within a letter of two code units.
  return `${text.slice(0, mostLetters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Cards are shown by programs that may not know the space at which no line breaks. */
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

function listOf(points: readonly string[]): string {
  return points.map((point) => `- ${escaped(oneLine(point))}`).join('\n');
}

/** As text: neither markup, nor HTML, nor an address that becomes a link. */
function escaped(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]#|~]/g, '\\$&')
    .replaceAll('://', '&#58;//')
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}&#46;`)
    .replaceAll('@', '&#64;');
}
