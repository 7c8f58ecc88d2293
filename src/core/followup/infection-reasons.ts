import { INFECTION_SIGNS, type InfectionSign } from '../analysis/infection-sign-codes.js';
import { rounded } from '../measurement/rounded.js';
import type { CourseReason, Direction, ReasonCode } from './course.js';
import {
  deniesInfection,
  infectionWordsOf,
  isSignStated,
  isSignThere,
  LEAST_SIGNS,
  SIGNS_OF,
  type SignSet,
} from './infection-signs.js';
import { isDiabeticFootUlcer } from './milestones.js';
import { isLately } from './remembered.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { SignStatements } from './sign-statements.js';
import { formsBefore, riseAtVisit } from './stated-at-visit.js';
import { isStated } from './stated-figures.js';

/** What else of the wound is worse; some signs are a change, and that is found by itself. */
export interface FindingChanges {
  readonly area: boolean;
  readonly pain: boolean;
  readonly exudate: boolean;
  /** Undermining or a tunnel, new or deeper. */
  readonly pockets: boolean;
}

/**
 * Signs of infection: of the sets for this kind of wound, others that are coded, and in the clinician's own words.
 * @param earlier without denials that another form of the visit contradicts
 * @param written the same as they were written
 */
export function infectionReasons(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  worse: FindingChanges,
  written: readonly AssessmentInSeries[] = earlier,
): CourseReason[] {
  const signs = new SignsOfTwoVisits(earlier, now, worse, written);
  const sets: readonly SignSet[] =
    isDiabeticFootUlcer(now.woundType) === true ? ['iwgdf', 'spreading'] : ['nerds', 'stonees', 'spreading'];
  const ofSets = sets.map((set) => setReason(signs, set)).filter((reason) => reason !== null);
  return [...ofSets, ...otherSigns(signs, ofSets, worse), ...wordsReason(earlier, now, written)];
}

/** What forms state of signs: of all visits, of those before this one, and of this one. */
interface StatementsOfVisits {
  readonly all: SignStatements;
  readonly before: SignStatements;
  readonly today: SignStatements;
  /** As they were written. */
  readonly written: SignStatements;
  readonly writtenBefore: SignStatements;
}

/** The signs that are there, and those that were there the time before. */
class SignsOfTwoVisits {
  /** The last assessment that stated anything, of an earlier visit where there is one. */
  readonly before: AssessmentInSeries | null;
  /** By the worst of the last visit at which each was stated, however long ago; what is only remembered now is not new. */
  readonly then: ReadonlySet<InfectionSign>;
  /** By a clinician, as signs or in other coded fields. */
  readonly stated: ReadonlySet<InfectionSign>;
  /** With those that the change of another finding is. */
  readonly present: ReadonlySet<InfectionSign>;
  private readonly statements: StatementsOfVisits;
  private readonly earlierToday: readonly AssessmentInSeries[];
  private readonly isFirstVisit: boolean;

  constructor(
    readonly earlier: readonly AssessmentInSeries[],
    readonly now: AssessmentInSeries,
    worse: FindingChanges,
    written: readonly AssessmentInSeries[],
  ) {
    const isEarlier = (at: AssessmentInSeries) => !isOfOneVisit(at, now);
    const before = earlier.filter(isEarlier);
    this.isFirstVisit = before.length === 0;
    this.earlierToday = earlier.filter((at) => !isEarlier(at));
    const all = new SignStatements(earlier);
    const beforeThis = new SignStatements(before);
    const isAsWritten = written === earlier;
    this.statements = {
      all,
      before: beforeThis,
      today: new SignStatements([...earlier.slice(before.length), now]),
      written: isAsWritten ? all : new SignStatements(written),
      writtenBefore: isAsWritten ? beforeThis : new SignStatements(written.filter(isEarlier)),
    };
    this.before = lastStating(earlier, now) ?? null;
    this.then = new Set(INFECTION_SIGNS.filter((sign) => this.wasThere(sign)));
    const changed: readonly (readonly [boolean, InfectionSign])[] = [
      [worse.area, 'enlarging'],
      [worse.pain, 'increased_pain'],
      [worse.exudate, 'increased_exudate'],
      [worse.pockets, 'new_breakdown'],
    ];
    this.stated = new Set(
      INFECTION_SIGNS.filter(
        (sign) => this.wasThereToday(sign) || (isSignThere(now.observations, sign) ?? this.isRemembered(sign)),
      ),
    );
    const found = changed.flatMap(([isWorse, sign]) => (isWorse ? [sign] : []));
    this.present = new Set(INFECTION_SIGNS.filter((sign) => this.stated.has(sign) || found.includes(sign)));
  }

  /** Coded as a sign of infection, now or at the last statement of it; not by another field alone. */
  isCoded(sign: InfectionSign): boolean {
    const isIn = ({ observations }: AssessmentInSeries): boolean =>
      observations?.infectionSignCodes?.some((one) => one.sign === sign && one.status === 'present') === true;
    return isIn(this.now) || this.earlier.some((at) => isLately(at, this.now) && isIn(at));
  }

  /** By another form of the day, which a later one does not take back. */
  private wasThereToday(sign: InfectionSign): boolean {
    return this.earlierToday.some((at) => isSignStated(at.observations, sign) === true);
  }

  /** By any form of the last visit at which somebody stated it. */
  private isRemembered(sign: InfectionSign, statements = this.statements.all): boolean {
    return lastVisitOf(statements.of(sign)).some(({ at, value }) => value && isLately(at, this.now));
  }

  /**
   * A denial that another form contradicts ends no four weeks, but longer ago than that the sign is new. What comes up within hours is new as well, and on
   * the first day the forms of that day are all that is known.
   */
  private wasThere(sign: InfectionSign): boolean {
    if (isSignThere(this.now.observations, sign) === undefined && this.isRemembered(sign)) return true;
    const { before, today, written, writtenBefore } = this.statements;
    if (this.isFirstVisit) return written.of(sign).at(-1)?.value === true;
    const last = formsBefore(writtenBefore.of(sign), this.now);
    const isLongAgo = last.length > 0 && !isLately(last.at(-1)!.at, this.now);
    const isDeniedToday = written.of(sign).some(({ at, value }) => !value && isOfOneVisit(at, this.now));
    const wasThere = last.some(({ value }) => value) && !(isLongAgo && isDeniedToday);
    if (!wasThere && !this.isRemembered(sign, before)) return false;
    return riseAtVisit(before.of(sign), today.of(sign), (one, other) => one && !other) === null;
  }
}

function lastStating(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): AssessmentInSeries | undefined {
  return earlier.findLast((at) => isStated(at) && !isOfOneVisit(at, now)) ?? earlier.findLast(isStated);
}

/** Worse where the set is complete and has a sign that was not there the time before. */
function setReason(signs: SignsOfTwoVisits, set: SignSet): CourseReason | null {
  const among = (known: ReadonlySet<InfectionSign>) =>
    SIGNS_OF[set].filter((group) => group.some((one) => known.has(one)));
  // A deeper pocket alone is no infection that spreads: a person has to say that.
  const known = set === 'spreading' ? signs.stated : signs.present;
  const [then, present] = [among(signs.then), among(known)];
  if (present.length < LEAST_SIGNS[set]) return null;
  const isNew = signs.earlier.length > 0 && present.some((group) => !then.includes(group));
  const names = SIGNS_OF[set].flat().filter((sign) => known.has(sign));
  return reasonOf(signs, `signs_${set}`, isNew ? 'worse' : 'persists', [then.length, present.length], names);
}

/** Signs that the skin's, the exudate's and the odour's own reasons tell, where they are stated. */
const TOLD_ELSEWHERE: readonly InfectionSign[] = ['warmth', 'erythema', 'swelling', 'purulent_exudate', 'odour'];
/** Signs that are a change for the worse by themselves. */
const CHANGES: readonly (readonly [InfectionSign, keyof FindingChanges])[] = [
  ['enlarging', 'area'],
  ['increased_pain', 'pain'],
  ['increased_exudate', 'exudate'],
];

/** Coded signs of no set that is complete: a change that a clinician stated is worse, and none of them is passed over. */
function otherSigns(signs: SignsOfTwoVisits, told: readonly CourseReason[], worse: FindingChanges): CourseReason[] {
  const isTold = (sign: InfectionSign) =>
    told.some((reason) => reason.signs?.includes(sign)) ||
    (TOLD_ELSEWHERE.includes(sign) && isSignStated(signs.now.observations, sign) !== undefined);
  const others = [...signs.present].filter((sign) => signs.isCoded(sign) && !isTold(sign));
  if (others.length === 0) return [];
  const isNew = CHANGES.some(
    ([sign, domain]) => others.includes(sign) && !signs.then.has(sign) && !worse[domain] && signs.earlier.length > 0,
  );
  const then = others.filter((sign) => signs.then.has(sign));
  return [reasonOf(signs, 'signs_other', isNew ? 'worse' : 'persists', [then.length, others.length], others)];
}

function wordsReason(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  written: readonly AssessmentInSeries[],
): CourseReason[] {
  const words = infectionWordsOf(now.observations);
  if (words.length === 0) return rememberedWords(earlier, now);
  const before = lastStating(earlier, now) ?? null;
  const isOfLastVisit = (at: AssessmentInSeries) => before !== null && isStated(at) && isOfOneVisit(at, before);
  const then = earlier.filter((at) => isOfLastVisit(at) && isOfOneVisit(at, now) === isOfOneVisit(before!, now));
  // What was said longer ago than some weeks, and denied at this visit, is new.
  const isDenied = written.some((at) => isOfOneVisit(at, now) && deniesInfection(at.observations));
  const counting = isDenied ? then.filter((at) => isLately(at, now)) : then;
  const most = Math.max(0, ...counting.map(({ observations }) => infectionWordsOf(observations).length));
  // More lines than the last visit and four weeks had: two people who differ in how many they write make nothing worse each week.
  const lately = earlier
    .filter((at) => isLately(at, now))
    .map(({ observations }) => infectionWordsOf(observations).length);
  const isMore = most === 0 || words.length > Math.max(most, ...lately);
  const direction = earlier.length > 0 && isMore ? 'worse' : 'persists';
  return [reasonOf({ before, now }, 'clinician_words', direction, [most, words.length])];
}

/** Words that nobody has taken back at another visit: by others, or by words that say that there is nothing. */
function rememberedWords(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason[] {
  const said = ({ observations }: AssessmentInSeries) => infectionWordsOf(observations).length;
  const isDeniedNow = deniesInfection(now.observations);
  const answered = earlier.filter((at) => said(at) > 0 || deniesInfection(at.observations)).map((at) => ({ at }));
  const visit = lastVisitOf(isDeniedNow ? [...answered, { at: now }] : answered);
  const last = visit.findLast(({ at }) => said(at) > 0)?.at;
  if (last === undefined || !isLately(last, now)) return [];
  return [{ ...reasonOf({ before: last, now }, 'clinician_words', 'persists', [said(last), 0]), to: null }];
}

function reasonOf(
  { before, now }: Pick<SignsOfTwoVisits, 'before' | 'now'>,
  what: ReasonCode,
  direction: Direction,
  [then, present]: readonly [number, number],
  signs?: readonly InfectionSign[],
): CourseReason {
  return {
    domain: 'infection',
    what,
    direction,
    from: before === null ? null : then,
    // Signs that nobody has stated to be gone, nor to be there still.
    to: direction === 'worse' || isStatedNow(now, signs) ? present : null,
    unit: 'count',
    days: before === null ? 0 : rounded(daysBetween(before, now), 1),
    interval: null,
    comparedWithReportId: before?.reportId ?? null,
    ...(signs === undefined ? {} : { signs }),
  };
}

function isStatedNow({ observations }: AssessmentInSeries, signs: readonly InfectionSign[] | undefined): boolean {
  return signs === undefined || signs.some((sign) => isSignStated(observations, sign) !== undefined);
}
