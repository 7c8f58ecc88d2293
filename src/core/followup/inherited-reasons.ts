import type { CourseReason } from './course.js';
import { infectionReasons } from './infection-reasons.js';
import type { SeriesRelation } from './related-areas.js';
import type { AssessmentInSeries } from './series-order.js';
import { stageReason } from './stage-reason.js';
import { figureReason, STATED_FIGURES } from './stated-figures.js';
import { statingLately } from './stating-lately.js';
import { signReasons } from './stated-signs.js';
import { tissueReasons } from './tissue-reasons.js';

const NOTHING_WORSE = { area: false, pain: false, exudate: false, pockets: false } as const;

type Known = readonly AssessmentInSeries[];

/**
 * What speaks against a wound by what was stated of those that it grew out of; each of them by itself, so that one denies nothing of another, and nothing
 * that became better. What had become worse in one of them counts on for some weeks, unless it is stated of the wound; what is stated first of the wound may be new.
 * @param relations of its present episode, oldest first: signs of each count on, all else is compared with the wounds of the last
 * @param own what was stated of the very wound until now, oldest first: from a relation on it counts for each of the wounds before
 */
export function inheritedReasons(
  relations: readonly SeriesRelation[],
  own: Known,
  now: AssessmentInSeries,
): CourseReason[] {
  const all = relations.toReversed().flatMap(({ at, before }, past) => {
    const since = own.filter(({ capturedAt }) => capturedAt >= at);
    const parts = before.flatMap(({ assessments }) =>
      assessments === null ? [] : [statingLately([...assessments, ...since], now)],
    );
    if (past > 0) return signsOf(parts, now, false);
    // Of the very wound before, which goes on under its number, its own reasons tell.
    const areAllKnown = parts.length === before.length;
    return [...figuresOf(parts, now), ...tissuesOf(parts, now), ...signsOf(parts, now, areAllKnown)];
  });
  return firstOfEach(all);
}

/** Worse than in every wound before; where one of them may have had it, it is known to be there, and not that it is new. */
function signsOf(parts: readonly Known[], now: AssessmentInSeries, areAllKnown: boolean): CourseReason[] {
  const all = parts
    .map((known) => [
      ...signReasons(known, now),
      ...infectionReasons(known, now, NOTHING_WORSE),
      ...[stageReason(known, now)].filter((reason) => reason !== null),
    ])
    .map((reasons) => reasons.filter(({ direction }) => direction === 'worse' || direction === 'persists'));
  return firstOfEach(all.flat()).map((reason) => {
    const isNew = areAllKnown && all.every((reasons) => isWorseIn(reasons, reason.what));
    return { ...reason, direction: isNew ? 'worse' : 'persists' };
  });
}

/** Deeper than any wound before of which a depth was stated; a pocket, than those of which one was, or else new. */
function figuresOf(parts: readonly Known[], now: AssessmentInSeries): CourseReason[] {
  return STATED_FIGURES.flatMap((figure) => {
    const stating = parts.filter((known) => known.some((one) => figure.of(one) !== null));
    const all = (stating.length > 0 ? stating : parts).map((known) => figureReason(figure, known, now));
    const worse = all.filter((reason) => reason?.direction === 'worse').filter((reason) => reason !== null);
    const told = worse.length === all.length || stating.length === 0 ? worse.slice(0, 1) : [];
    return told.length > 0 ? told : persistingIn(parts.map((known) => figureReason(figure, known, now)));
  });
}

/** What had become worse in any wound before and nobody has stated since, or what is stated first of this one and may be new. */
function persistingIn(reasons: readonly (CourseReason | null)[]): CourseReason[] {
  const found = reasons.find((reason) => reason?.direction === 'persists');
  return found === undefined || found === null ? [] : [found];
}

/** More dead tissue than in every wound before of which a clinician confirmed its share. */
function tissuesOf(parts: readonly Known[], now: AssessmentInSeries): CourseReason[] {
  const all = parts.map((known) => tissueReasons(known, now));
  const worse = firstOfEach(all.flat().filter(({ direction }) => direction === 'worse')).filter(({ what }) =>
    parts.every((known, at) => !isConfirmed(known, what) || isWorseIn(all[at]!, what)),
  );
  const persisting = all.flatMap((reasons) => persistingIn(reasons));
  return firstOfEach([...worse, ...persisting]);
}

function isConfirmed(known: Known, what: CourseReason['what']): boolean {
  return known.some(
    ({ findings: { tissue, confirmedTissues } }) => tissue !== null && confirmedTissues.some((one) => one === what),
  );
}

function isWorseIn(reasons: readonly CourseReason[], what: CourseReason['what']): boolean {
  return reasons.some((reason) => reason.what === what && reason.direction === 'worse');
}

function firstOfEach(reasons: readonly CourseReason[]): CourseReason[] {
  return reasons.filter((reason, at) => reasons.findIndex(({ what }) => what === reason.what) === at);
}
