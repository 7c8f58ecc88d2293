import type { Course, CourseReason, Direction } from '../../core/followup/course.js';
import type { FlagCode } from '../../core/followup/flag-codes.js';
import type { FollowUpFlag } from '../../core/followup/flags.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import type { WoundStage } from '../../core/analysis/wound-stage.js';
import { stageText } from './stage-text.js';
import type { Pen } from './document-blocks.js';
import { relationText, resetText } from './event-section.js';

/** What a flag says in its own words. */
const SAID_BY_FLAG: Readonly<Partial<Record<CourseReason['what'], readonly FlagCode[]>>> = {
  area: ['area_growth', 'area_growth_since_baseline', 'area_growth_since_smallest', 'area_growth_by_slope'],
  area_stalled: ['stalled_14_days', 'stalled_28_days'],
  clinician_words: ['infection_signs_recorded'],
};

/** What a treatment changed is told apart from these. */
type ToldDirection = Exclude<Direction, 'reset'>;

/** Better or worse as a whole, and by what; "" by rules that had no verdict. */
export function courseText(pen: Pen, comparison: SeriesComparison): string {
  const { course } = comparison;
  if (course === undefined) return '';
  return [
    verdictText(pen, course, comparison),
    ...directionsToTell(course).map((direction) => namesOf(pen, course, direction)),
    resetText(pen, comparison),
    relationText(pen, comparison),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** What is better is no headline while it is not known how the wound is: less pain beside a wound that may be another one. */
function directionsToTell({ verdict }: Course): readonly ToldDirection[] {
  return verdict === 'unknown' ? ['worse', 'persists'] : ['worse', 'persists', 'better'];
}

function verdictText({ say, figures }: Pen, { verdict, since }: Course, { closure }: SeriesComparison): string {
  return say(`verdict.${verdict}`, { date: figures.day(closure?.closedAt ?? since) });
}

function namesOf({ say }: Pen, { because }: Course, direction: ToldDirection): string {
  const names = because.filter((reason) => reason.direction === direction).map(({ what }) => say(`reason.${what}`));
  return names.length === 0 ? '' : say(`verdict.${direction}`, { names: [...new Set(names)].join(', ') });
}

/** What is worse or persists, with its figures; not what a flag says already. */
export function concernTexts(pen: Pen, comparison: SeriesComparison, flags: readonly FollowUpFlag[]): string[] {
  return (comparison.course?.because ?? [])
    .filter(({ direction, what }) => isConcern(direction) && !isSaid(what, flags))
    .map((reason) => reasonText(pen, reason));
}

/** What a treatment changed is told with its date, and is no point to look at. */
function isConcern(direction: Direction): boolean {
  return direction === 'worse' || direction === 'persists';
}

function isSaid(what: CourseReason['what'], flags: readonly FollowUpFlag[]): boolean {
  return flags.some(({ code }) => SAID_BY_FLAG[what]?.includes(code) ?? false);
}

/** One finding, then and now. */
export function reasonText(pen: Pen, reason: CourseReason): string {
  const text = changeText(pen, reason);
  const signs = (reason.signs ?? []).map((sign) => pen.say(`sign.${sign}`));
  if (signs.length === 0) return text;
  return pen.say(reason.to === null ? 'reason.lastSigns' : 'reason.withSigns', { text, signs: signs.join(', ') });
}

/** Told against a lower step or figure, where no later one was stated. */
const ROSE: readonly CourseReason['what'][] = [
  'exudate_amount',
  'odour',
  'stage',
  'depth',
  'undermining',
  'tunnelling',
  'pain',
  'necrosis',
  'slough',
];
/** Figures that are told where nothing is known to compare them with; a number of signs says nothing by itself. */
const TOLD_ALONE: readonly CourseReason['unit'][] = ['cm', 'percent'];

function changeText(pen: Pen, reason: CourseReason): string {
  const { say, figures } = pen;
  const { what, direction, from, to, days } = reason;
  const isSign = to === 'present' || to === 'absent';
  const values = {
    name: capitalized(say(`reason.${what}`)),
    from: valueText(pen, reason, from),
    to: valueText(pen, reason, to),
    inDays: figures.inDays(days),
  };
  if (to === null && direction === 'persists')
    return say(from !== null && ROSE.includes(what) ? 'reason.roseUnstated' : 'reason.unstated', values);
  if (from === null && direction === 'persists')
    return say(TOLD_ALONE.includes(reason.unit) ? 'reason.firstFigure' : 'reason.first', values);
  if (what === 'stage') return say('reason.stageChange', values);
  if (isSign && direction !== 'reset') return say(`reason.sign.${direction}`, values);
  if (direction === 'persists' && from === to) return say('reason.sign.persists', values);
  if (from === null) return say('reason.new', values);
  return say(direction === 'persists' && what !== 'area_stalled' ? 'reason.still' : 'reason.change', values);
}

function valueText({ say, figures }: Pen, { what, unit }: CourseReason, value: number | string | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return wordText(say, what, value);
  if (unit === 'cm2') return figures.areaCm2(value);
  if (unit === 'cm') return figures.lengthAsGiven(value);
  return unit === 'percent' ? figures.percent(value) : figures.number(value);
}

const GRADED = { exudate_amount: 'exudate', odour: 'odour' } as const;

function wordText(say: Pen['say'], what: CourseReason['what'], value: string): string {
  if (what === 'stage') return stageOfWord(say, value);
  if (what !== 'exudate_amount' && what !== 'odour') return value;
  return say(`${GRADED[what]}.${value}` as Parameters<Pen['say']>[0]);
}

/** `pressure_3`, as reasons have it. */
function stageOfWord(say: Pen['say'], word: string): string {
  const at = word.indexOf('_');
  const stage = { system: word.slice(0, at), value: word.slice(at + 1) };
  return stageText(say, stage as Pick<WoundStage, 'system' | 'value'>);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
