import {
  EXUDATE_AMOUNTS,
  ODOURS,
  type ClinicianObservations,
  type PeriwoundFinding,
  type WoundEdge,
} from '../analysis/clinician-observations.js';
import type { InfectionSign } from '../analysis/infection-sign-codes.js';
import { rounded } from '../measurement/rounded.js';
import type { CourseReason, Direction, Domain, ReasonCode } from './course.js';
import { deniesInfection, isSignStated } from './infection-signs.js';
import { isLately } from './remembered.js';
import { isWorseDirection } from './reason-order.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { beforeStepLately, statedBy, statedNow, visitOf, worstOf, type Stated } from './stated-at-visit.js';
import { isStated } from './stated-figures.js';

/** Skin that speaks of an infection that spreads. */
const SPREADING: readonly (readonly [ReasonCode, (observations: ClinicianObservations) => boolean | undefined])[] = [
  ['erythema', (observations) => isSignStated(observations, 'erythema')],
  ['warmth', (observations) => isSignStated(observations, 'warmth')],
  ['induration', ({ periwound }) => periwound?.includes('induration')],
  ['swelling', (observations) => isCodedSign(observations, 'swelling')],
];
const SOUND_SKIN: readonly PeriwoundFinding[] = ['intact'];
const SOUND_EDGES: readonly WoundEdge[] = ['attached', 'approximated', 'distinct'];

/** The steps of the coded fields: amounts and smells by one step, signs by their coming and going. */
export function signReasons(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason[] {
  const skin = SPREADING.map(([code, of]) => presenceReason(earlier, now, ['periwound', code], 'a while', of)).filter(
    (reason) => reason !== null,
  );
  const amount = gradeReason(earlier, now, ['exudate', 'exudate_amount'], EXUDATE_AMOUNTS, ({ exudate }) => exudate);
  return [
    isDenied(amount, now, 'increased_exudate') ? null : amount,
    presenceReason(earlier, now, ['exudate', 'exudate_purulent'], 'always', (given) =>
      isSignStated(given, 'purulent_exudate'),
    ),
    odourReason(earlier, now),
    ...skin,
    skin.length > 0
      ? null
      : fewerReason(earlier, now, ['periwound', 'periwound_findings'], SOUND_SKIN, ({ periwound }) => periwound),
    presenceReason(earlier, now, ['edges', 'edge_undermined'], 'a while', ({ edges }) =>
      edges?.includes('undermined'),
    ) ?? fewerReason(earlier, now, ['edges', 'edge_findings'], SOUND_EDGES, ({ edges }) => edges),
  ].filter((reason) => reason !== null);
}

/** The grade, or the sign where that tells the worse: who codes an odour as a sign of infection does not mean that it became less. */
function odourReason(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason | null {
  const grade = gradeReason(earlier, now, ['odour', 'odour'], ODOURS, ({ odour }) => odour);
  const sign = presenceReason(earlier, now, ['odour', 'odour_strong'], 'always', (given) => {
    const coded = isCodedSign(given, 'odour');
    return coded === true || given.odour === undefined ? coded : given.odour === 'strong';
  });
  const told = isDenied(grade, now, 'odour') ? null : grade;
  return told === null || (sign !== null && isWorseDirection(sign.direction, told.direction)) ? sign : told;
}

/** A gain that the coded sign of the same form contradicts. */
export function isDenied(
  reason: CourseReason | null,
  { observations }: AssessmentInSeries,
  sign: InfectionSign,
): boolean {
  return reason?.direction === 'better' && observations !== null && isCodedSign(observations, sign) === true;
}

/** As a sign of infection; what other fields say of it is told of them. */
function isCodedSign({ infectionSignCodes }: ClinicianObservations, sign: InfectionSign): boolean | undefined {
  const status = infectionSignCodes?.find((one) => one.sign === sign)?.status;
  return status === undefined ? undefined : status === 'present';
}

type Named = readonly [Domain, ReasonCode];

/** Against the statement before: a step up is worse, and persists for some weeks where it stays; a step down to where it was not for some weeks is better. */
function gradeReason<Grade extends string>(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  named: Named,
  grades: readonly Grade[],
  of: (observations: ClinicianObservations) => Grade | undefined,
): CourseReason | null {
  const level = (grade: Grade) => grades.indexOf(grade);
  const isHigher = (one: Grade, other: Grade) => level(one) > level(other);
  const { to, known, rise } = visitOf(earlier, now, of, isHigher);
  if (rise !== null) return reasonOf(now, rise.from.at, named, 'worse', { from: rise.from.value, to: rise.to.value });
  const last = known.at(-1);
  if (last === undefined) return null;
  if (to === undefined) {
    // A step up that nobody has stated anew, nor taken back at another visit.
    const highest = worstOf(lastVisitOf(known), isHigher);
    const until = known.slice(0, known.indexOf(highest) + 1);
    const from = beforeStepLately(until, highest.at, (value) => isHigher(highest.value, value));
    return from === undefined || !isLately(highest.at, now)
      ? null
      : reasonOf(now, from.at, named, 'persists', { from: from.value, to });
  }
  const lower = beforeStepLately(known, now, (value) => isHigher(to, value));
  // Back to where it was some weeks ago is no gain.
  const isLowest = known.every(({ at, value }) => !isLately(at, now) || isHigher(value, to));
  if (level(to) < level(last.value) && lower === undefined)
    return isLowest ? reasonOf(now, last.at, named, 'better', { from: last.value, to }) : null;
  return lower === undefined ? null : reasonOf(now, lower.at, named, 'persists', { from: lower.value, to });
}

/**
 * A sign that was not there the time before is worse, also where nobody who looked before stated the field; one that is known to be gone is better. One
 * that stays persists: always, or a while, as many a wound's skin is red for years. Where nobody stated anything before, it may always have been there, or
 * be new, and persists a while.
 */
function presenceReason(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  named: Named,
  persisting: 'always' | 'a while',
  of: (observations: ClinicianObservations) => boolean | undefined,
): CourseReason | null {
  const isThere = (one: boolean, other: boolean) => one && !other;
  const { to: present, known, before, first, rise } = visitOf(earlier, now, of, isThere);
  const last = present === undefined && known.length > 0 ? worstOf(lastVisitOf(known), isThere) : known.at(-1);
  const told = (direction: Direction, then: Stated<boolean> | undefined) => {
    const words = (is: boolean) => (is ? 'present' : 'absent');
    const from = then === undefined ? null : words(then.value);
    return reasonOf(now, then?.at ?? null, named, direction, {
      from,
      to: present === undefined ? null : words(present),
    });
  };
  // Where somebody had not found it at the last visit either, nothing is known to have gone.
  if (present === false)
    return known.length > 0 && lastVisitOf(known).every(({ value }) => value) ? told('better', last) : null;
  if (present === undefined && !isRemembered(earlier, last, now)) return null;
  if (rise !== null) return told('worse', rise.from);
  if (present === true && last === undefined && earlier.slice(0, first).some(isStated)) return told('worse', last);
  const until = present === undefined && last !== undefined ? known.slice(0, known.indexOf(last) + 1) : known;
  const without = beforeStepLately(until, present === undefined ? (last?.at ?? now) : now, (value) => !value);
  const isStaying = persisting === 'always' || without !== undefined || isPerhapsNew(before, known, now);
  return isStaying ? told('persists', without ?? last) : null;
}

/** Stated first some weeks ago at most, and not at the first visit: of those before nobody knows whether it was there. */
function isPerhapsNew(
  before: readonly AssessmentInSeries[],
  known: readonly Stated<boolean>[],
  now: AssessmentInSeries,
): boolean {
  const first = known[0]?.at ?? now;
  return before.length > 0 && !isOfOneVisit(before[0]!, first) && isLately(first, now);
}

/** Nobody has stated since then, for some weeks, whether it is there, nor that there is no sign of infection. */
function isRemembered(
  earlier: readonly AssessmentInSeries[],
  last: Stated<boolean> | undefined,
  now: AssessmentInSeries,
): boolean {
  if (last?.value !== true || !isLately(last.at, now)) return false;
  // A second form of that visit takes nothing back.
  const later = [...earlier.slice(earlier.indexOf(last.at) + 1), now].filter((at) => !isOfOneVisit(last.at, at));
  return !later.some((at) => deniesInfection(at.observations));
}

/** Fewer findings than any form of the visit before, and none that was not there, is better; of one day by each that states them. */
function fewerReason<Finding extends string>(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  named: Named,
  sound: readonly Finding[],
  of: (observations: ClinicianObservations) => readonly Finding[] | undefined,
): CourseReason | null {
  if (statedNow(now, of) === undefined) return null;
  const found = statedBy([...earlier, now], of).map(({ at, value }) => ({
    at,
    value: value.filter((one) => !sound.includes(one)),
  }));
  const before = lastVisitOf(found.filter(({ at }) => !isOfOneVisit(at, now)));
  if (before.length === 0) return null;
  const { at, value: then } = worstOf(before, (one, other) => one.length < other.length);
  const today = found.filter((one) => isOfOneVisit(one.at, now)).map(({ value }) => value);
  const isFewer = today.every((list) => list.length < then.length && list.every((one) => then.includes(one)));
  const most = Math.max(...today.map((list) => list.length));
  return isFewer ? reasonOf(now, at, named, 'better', { from: then.length, to: most }) : null;
}

function reasonOf(
  now: AssessmentInSeries,
  before: AssessmentInSeries | null,
  [domain, what]: Named,
  direction: Direction,
  { from, to }: { readonly from: number | string | null; readonly to: number | string | null | undefined },
): CourseReason {
  return {
    domain,
    what,
    direction,
    from,
    to: to ?? null,
    unit: typeof to === 'number' ? 'count' : null,
    days: before === null ? 0 : rounded(daysBetween(before, now), 1),
    interval: null,
    comparedWithReportId: before?.reportId ?? null,
  };
}
