import type { CourseReason, Domain, ReasonUnit } from './course.js';
import { isLately } from './remembered.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { riseAtVisit } from './stated-at-visit.js';
import {
  extremeOf,
  highestOfEachVisit,
  meanOf,
  medianOf,
  withoutLoneHigh,
  type Statement,
  type Step,
} from './statements.js';
import { LONGEST_SLOPE_DAYS } from './area-slope.js';
import { rounded } from '../measurement/rounded.js';

/** A figure that a clinician states, and how well two people agree on it. */
export interface StatedFigure {
  readonly domain: Extract<Domain, 'depth' | 'undermining' | 'tunnelling' | 'pain'>;
  readonly unit: ReasonUnit;
  /** null: not stated. */
  readonly of: (assessment: AssessmentInSeries) => number | null;
  /** Where several may be there, each by itself; a further one is new, however deep the others are. */
  readonly each?: (assessment: AssessmentInSeries) => readonly number[];
  /** Less is no change. */
  readonly least: number;
  /** One standard deviation of a statement: half of ± 3 mm by a probe, of ± 2 of 10 for pain. */
  readonly sd: number;
}

const deepest = (pockets: readonly { readonly depthCm: number }[] | undefined): number | null =>
  pockets === undefined || pockets.length === 0 ? null : Math.max(...pockets.map(({ depthCm }) => depthCm));

export const STATED_FIGURES: readonly StatedFigure[] = [
  { domain: 'depth', unit: 'cm', of: ({ observations }) => observations?.depthCm ?? null, least: 0.2, sd: 0.15 },
  {
    domain: 'undermining',
    unit: 'cm',
    of: ({ observations }) => deepest(observations?.undermining),
    least: 0.5,
    sd: 0.15,
  },
  {
    domain: 'tunnelling',
    unit: 'cm',
    of: ({ observations }) => deepest(observations?.tunnelling),
    each: ({ observations }) => (observations?.tunnelling ?? []).map(({ depthCm }) => depthCm),
    least: 0.5,
    sd: 0.15,
  },
  { domain: 'pain', unit: 'of_ten', of: ({ observations }) => observations?.painNrs ?? null, least: 3, sd: 1 },
];

/** Statements that the present one is compared with. */
const MOST_LATELY = 3;
/** Statements from which on the two newest are compared with the two oldest, so that a slow change is seen, too. */
const LEAST_FOR_ENDS = 4;
/** Exceeded by chance at one statement in four hundred of a wound that stands still, in each direction. */
const RARE = 2.8;
const DAY_ROUNDING = 1;
/** Sums of tenths are not exact. */
const TINY = 1e-9;

/**
 * The change of one stated figure, beyond what two people differ by: against the mean of the last three statements of eight weeks, or of the two
 * newest against the two oldest of those. Of one visit the worst counts; a high one that those around it contradict hides nothing. What went back since the statement before is no change. What was worse persists
 * for some weeks where nobody states it anew. null: not stated, or none.
 * @param earlier of the present episode, oldest first
 */
export function figureReason(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  return figure.of(now) === null ? rememberedReason(figure, earlier, now) : reasonOfVisit(figure, earlier, now);
}

/** Of one visit what tells the worst of it: each statement by itself, and the highest of them against the visits before. */
function reasonOfVisit(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const visit = earlier.flatMap((at, place) =>
    figure.of(at) === null || !isOfOneVisit(at, now) ? [] : [{ at, place }],
  );
  const all = [...visit, { at: now, place: earlier.length }];
  const own = ownReason(figure, earlier, now);
  if (visit.length === 0 || own?.direction === 'worse') return own;
  const valueOf = ({ at }: (typeof all)[number]) => figure.of(at)!;
  const highest = all.reduce((most, one) => (valueOf(one) > valueOf(most) ? one : most));
  const before = earlier.filter((at) => !isOfOneVisit(at, now));
  const ofVisit = ownReason(figure, before, highest.at);
  const each = [own, ofVisit, ...visit.map(({ at, place }) => ownReason(figure, earlier.slice(0, place), at))];
  for (const direction of ['worse', 'persists'] as const) {
    const found = each.find((reason) => reason?.direction === direction);
    if (found !== undefined && found !== null) return found;
  }
  // A fall has to be one of the highest, and of this one, too.
  return own?.direction === 'better' && ofVisit?.direction === 'better' ? ofVisit : null;
}

/**
 * By this statement alone: against each before, and against the highest of each earlier visit. Where forms of one visit differ both have to say so, so that
 * saying a thing twice does not make it usual, nor one low figure all that follow worse: these persist. What rises within hours is worse by itself.
 */
function ownReason(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const stated = earlier.flatMap((at): Statement[] => {
    const then = figure.of(at);
    return then === null ? [] : [{ at, value: then }];
  });
  const own = reasonAmong(figure, stated, stated, earlier, now);
  const before = stated.filter(({ at }) => !isOfOneVisit(at, now));
  const visits = highestOfEachVisit(before);
  if (visits.length === stated.length || visits.length === 0) return own;
  const ofVisits = reasonAmong(figure, visits, stated, earlier, now);
  if (ofVisits?.direction === 'worse') return ofVisits;
  if (own?.direction === 'worse')
    return isRisenWithinHours(figure, stated, before, now) ? own : { ...own, direction: 'persists' };
  return own?.direction === 'better' ? ofVisits : own;
}

function isRisenWithinHours(
  figure: StatedFigure,
  stated: readonly Statement[],
  before: readonly Statement[],
  now: AssessmentInSeries,
): boolean {
  const today = [...stated.slice(before.length), { at: now, value: figure.of(now)! }];
  return riseAtVisit(before, today, (one, other) => one - other >= figure.least - TINY)?.to.at === now;
}

/**
 * @param stated those that it is compared with, oldest first
 * @param each every form before, by which a further pocket is new
 */
function reasonAmong(
  figure: StatedFigure,
  stated: readonly Statement[],
  each: readonly Statement[],
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const value = figure.of(now)!;
  const known = latelyOf(stated, now);
  const last = known.at(-1);
  const present = { at: now, value };
  if (last === undefined) return firstReason(figure, earlier, present);
  const settled = withoutLoneHigh([...known, present], leastApart(figure)).slice(0, -1);
  const changes = [known, settled].map((those) => changeAmong(figure, those, present));
  const worse = changes.indexOf('worse');
  const step = worse >= 0 ? 'worse' : changes.every((one) => one === 'better') ? 'better' : null;
  const further = step === 'worse' ? null : furtherOne(figure, latelyOf(each, now), now);
  if (further !== null) return reasonOf(figure, null, { at: now, value: further }, 'worse');
  if (step === null) return null;
  // One figure that was mistyped far above the others makes no fall of those after it.
  if (step === 'better' && medianOf(known) - value < figure.least - TINY) return null;
  if (step === 'better' && isStatedAtLastVisit(figure, known, latelyOf(each, now), present)) return null;
  return reasonOf(figure, extremeOf(step === 'worse' && worse > 0 ? settled : known, step), present, step);
}

/** Nor is that a gain which one of the last visit's forms stated as well: by the lowest of them it is none. */
function isStatedAtLastVisit(
  figure: StatedFigure,
  known: readonly Statement[],
  each: readonly Statement[],
  present: Statement,
): boolean {
  const visit = lastVisitOf(each.filter(({ at }) => !isOfOneVisit(at, present.at)));
  const [first] = visit;
  if (first === undefined) return false;
  const lowest = visit.reduce((least, one) => (one.value < least.value ? one : least));
  const others = known.filter(({ at }) => !isOfOneVisit(at, first.at) && !isOfOneVisit(at, present.at));
  return changeAmong(figure, [...others, lowest], present) !== 'better';
}

/** Against those before; what went back since the last of them is no change. */
function changeAmong(figure: StatedFigure, known: readonly Statement[], present: Statement): Step | null {
  const last = known.at(-1);
  if (last === undefined) return null;
  const changed =
    changeLately(figure, known.slice(-MOST_LATELY), present.value) ?? changeOfEnds(figure, [...known, present]);
  return changed === null || isTurned(figure, last.value, present.value, changed) ? null : changed;
}

/** More than two statements of one depth differ by. */
function leastApart({ least, sd }: StatedFigure): number {
  return Math.max(least, RARE * sd * Math.SQRT2);
}

/** After a long pause the last statement is better than none. */
function latelyOf(stated: readonly Statement[], now: AssessmentInSeries): readonly Statement[] {
  const lately = stated.filter(({ at }) => daysBetween(at, now) <= LONGEST_SLOPE_DAYS);
  return lately.length > 0 ? lately : stated.slice(-1);
}

/**
 * Nobody states that there is no pocket: it is new where somebody looked before, and stated none in this episode. Where there were photos alone, it may
 * always have been there, and nobody knows that it is no new one.
 */
function firstReason(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  present: Statement,
): CourseReason | null {
  const isPocket = figure.domain === 'undermining' || figure.domain === 'tunnelling';
  if (!isPocket || present.value < figure.least || earlier.length === 0) return null;
  return reasonOf(figure, null, present, earlier.some(isStated) ? 'worse' : 'persists');
}

/** The depth of a pocket beyond as many as were ever stated lately; null: there is none. */
function furtherOne(
  { each, least }: StatedFigure,
  known: readonly Statement[],
  now: AssessmentInSeries,
): number | null {
  if (each === undefined) return null;
  const counted = (at: AssessmentInSeries) => each(at).filter((depth) => depth >= least - TINY);
  const most = Math.max(...known.map(({ at }) => counted(at).length));
  return counted(now).sort((a, b) => b - a)[most] ?? null;
}

/** A figure that was worse, or a pocket that may have been new, when it was last stated, and that nobody has stated since, for some weeks. */
function rememberedReason(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const at = earlier.findLastIndex((one) => figure.of(one) !== null);
  const last = earlier[at];
  if (last === undefined || !isLately(last, now)) return null;
  const then = reasonOfVisit(figure, earlier.slice(0, at), last);
  if (then === null || then.direction === 'better') return null;
  return { ...then, direction: 'persists', to: null, days: rounded(daysBetween(last, now), DAY_ROUNDING) };
}

/** Somebody looked at the wound, and not at its photo alone. */
export function isStated({ observations }: AssessmentInSeries): boolean {
  return observations !== null && Object.keys(observations).length > 0;
}

function changeLately({ least, sd }: StatedFigure, lately: readonly Statement[], value: number): Step | null {
  const change = value - meanOf(lately);
  const limit = Math.max(least, RARE * sd * Math.sqrt(1 + 1 / lately.length));
  return stepOf(change, limit);
}

function changeOfEnds({ least, sd }: StatedFigure, all: readonly Statement[]): Step | null {
  if (all.length < LEAST_FOR_ENDS) return null;
  return stepOf(meanOf(all.slice(-2)) - meanOf(all.slice(0, 2)), Math.max(least, RARE * sd));
}

function stepOf(change: number, limit: number): Step | null {
  if (Math.abs(change) < limit - TINY) return null;
  return change > 0 ? 'worse' : 'better';
}

/** The last step led back by as much as counts. */
function isTurned({ least }: StatedFigure, last: number, value: number, step: Step): boolean {
  const back = step === 'worse' ? last - value : value - last;
  return back >= least - TINY;
}

function reasonOf(
  { domain, unit }: StatedFigure,
  from: Statement | null,
  to: Statement,
  direction: Step | 'persists',
): CourseReason {
  return {
    domain,
    what: domain,
    direction,
    from: from?.value ?? null,
    to: to.value,
    unit,
    days: from === null ? 0 : rounded(daysBetween(from.at, to.at), DAY_ROUNDING),
    interval: null,
    comparedWithReportId: from?.at.reportId ?? null,
  };
}
