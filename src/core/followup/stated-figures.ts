import type { CourseReason, Domain, ReasonUnit } from './course.js';
import { isLately } from './remembered.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { riseAtVisit } from './stated-at-visit.js';
import { changeOf, isLess, isMoreBy, latelyOf, TINY, type FigureError } from './figure-change.js';
import { deepestPlace, depthAt, depthsOf, type PlacedFigure } from './placed-depths.js';
import { highestOfEachVisit, lowestOfEachVisit, type Statement, type Step } from './statements.js';
import { rounded } from '../measurement/rounded.js';

/** A figure that a clinician states, and how well two people agree on it. */
export interface StatedFigure extends FigureError {
  readonly domain: Extract<Domain, 'depth' | 'undermining' | 'tunnelling' | 'pain'>;
  readonly unit: ReasonUnit;
  /** null: not stated. */
  readonly of: (assessment: AssessmentInSeries) => number | null;
  /** Where several may be there, each by itself; a further one is new, however deep the others are. */
  readonly each?: (assessment: AssessmentInSeries) => readonly PlacedFigure[];
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
    each: ({ observations }) => observations?.tunnelling ?? [],
    least: 0.5,
    sd: 0.15,
  },
  { domain: 'pain', unit: 'of_ten', of: ({ observations }) => observations?.painNrs ?? null, least: 3, sd: 1 },
];

const DAY_ROUNDING = 1;
/** Statements of one place by which it is known by itself. */
const LEAST_AT_PLACE = 2;

/**
 * The change of one stated figure, beyond what two people differ by. Of one visit the worst counts; a high one that those around it contradict hides
 * nothing. What was worse persists for some weeks where nobody states it anew. null: not stated, or none.
 * @param earlier of the present episode, oldest first
 */
export function figureReason(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const deepestOne = ofItsPlace(figure, earlier, now, reasonOfFigure(figure, earlier, now));
  if (deepestOne?.direction === 'worse') return deepestOne;
  const others = placesOf(figure, [...earlier, now]).map((place) => reasonOfPlace(place, earlier, now));
  for (const direction of ['worse', 'persists'] as const) {
    const found = others.find((reason) => reason?.direction === direction);
    if (found !== undefined) return found;
  }
  return deepestOne;
}

/**
 * A lesser depth is no gain while a deeper place of then goes unnamed; nor is a greater one a rise where that place was as deep in the last weeks: of two
 * people each may name another.
 */
function ofItsPlace(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  reason: CourseReason | null,
): CourseReason | null {
  const { each } = figure;
  const present = each === undefined ? null : deepestPlace(each(now));
  if (each === undefined || present === null || reason === null || reason.from === null) return reason;
  if (reason.direction === 'better') {
    const from = earlier.find(({ reportId }) => reportId === reason.comparedWithReportId);
    const deeperThen =
      from === undefined ? [] : each(from).filter(({ depthCm }) => depthCm >= present.depthCm + figure.least - TINY);
    return deeperThen.every(({ clock }) => depthAt(each(now), clock) !== null) ? reason : null;
  }
  if (reason.to !== present.depthCm) return reason;
  const there = placeOf(figure, each, present.clock);
  const known = earlier.filter((at) => there.of(at) !== null && !isOfOneVisit(at, now) && isLately(at, now));
  const ofPlace = known.length === 0 ? reason : reasonOfFigure(there, earlier, now);
  if (ofPlace?.direction === 'worse') return reason;
  return known.length < LEAST_AT_PLACE ? { ...reason, direction: 'persists' } : ofPlace;
}

function reasonOfFigure(
  figure: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  return figure.of(now) === null ? rememberedReason(figure, earlier, now) : reasonOfVisit(figure, earlier, now);
}

/**
 * Each place that a form of some weeks names, as a figure of its own: one that deepens beside a deeper one is seen, too. What a form does not state of them is
 * not 0: one of two people may not have found it.
 */
function placesOf(figure: StatedFigure, all: readonly AssessmentInSeries[]): StatedFigure[] {
  const { each } = figure;
  if (each === undefined) return [];
  const lately = all.filter((at) => isLately(at, all.at(-1)!));
  const clocks = new Set(lately.flatMap((at) => each(at)).map(({ clock }) => clock));
  return [...clocks].map((clock) => placeOf(figure, each, clock));
}

/** Where it is no more of them, one at a place that nobody had named need not be new. */
function reasonOfPlace(
  place: StatedFigure,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
): CourseReason | null {
  const reason = reasonOfFigure(place, earlier, now);
  return reason?.from === null ? { ...reason, direction: 'persists' } : reason;
}

function placeOf(
  { domain, unit, least, sd }: StatedFigure,
  each: NonNullable<StatedFigure['each']>,
  clock: number,
): StatedFigure {
  return { domain, unit, least, sd, of: (at) => depthAt(each(at), clock) };
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
  return ofVisits?.direction === 'persists' || own?.direction === 'better' ? ofVisits : own;
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
  const present = { at: now, value: figure.of(now)! };
  if (stated.length === 0) return firstReason(figure, earlier, present);
  const change = changeOf(figure, stated, present);
  const further = change?.direction === 'worse' ? null : furtherOne(figure, latelyOf(each, present), now);
  if (further !== null) return reasonOf(figure, null, { at: now, value: further }, 'worse');
  if (change === null || (change.direction === 'better' && !isLessThanAny(figure, each, present))) return null;
  return reasonOf(figure, change.from, present, change.direction);
}

/** Nor is that a gain which one of the last visit's forms stated as well, or which is none by the lowest form of each visit. */
function isLessThanAny(figure: StatedFigure, each: readonly Statement[], present: Statement): boolean {
  const before = each.filter(({ at }) => !isOfOneVisit(at, present.at));
  const last = lastVisitOf(before).map(({ value }) => value);
  if (last.length === 0) return true;
  const lowest = Math.min(...last);
  const isDifferedOn = isMoreBy(figure.least, Math.max(...last), lowest);
  if (!isMoreBy(isDifferedOn ? figure.least : 2 * TINY, lowest, present.value)) return false;
  const lows = lowestOfEachVisit(before);
  return lows.length === before.length || isLess(figure, lows, present);
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
  const counted = (at: AssessmentInSeries) => depthsOf(each(at)).filter((depth) => depth >= least - TINY);
  const most = Math.max(...known.map(({ at }) => counted(at).length));
  return counted(now)[most] ?? null;
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
