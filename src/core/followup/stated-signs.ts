import {
  EXUDATE_AMOUNTS,
  ODOURS,
  type ClinicianObservations,
  type PeriwoundFinding,
  type WoundEdge,
} from '../analysis/clinician-observations.js';
import { rounded } from '../measurement/rounded.js';
import type { CourseReason, Direction, Domain, ReasonCode } from './course.js';
import { infectionWordsOf, LEAST_SIGNS, signsOf, type SignSet, type FindingChanges } from './infection-signs.js';
import { isDiabeticFootUlcer } from './milestones.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { isStated } from './stated-figures.js';

/** A step counts as one that stays for so long; then it is how the wound is. */
const PERSISTING_DAYS = 28;

/** Skin that speaks of an infection that spreads. */
const SPREADING: readonly (readonly [PeriwoundFinding, ReasonCode])[] = [
  ['erythema', 'erythema'],
  ['warm', 'warmth'],
  ['induration', 'induration'],
];
const SOUND_SKIN: readonly PeriwoundFinding[] = ['intact'];
const SOUND_EDGES: readonly WoundEdge[] = ['attached', 'approximated', 'distinct'];

/** The steps of the coded fields: amounts and smells by one step, signs by their coming and going. */
export function signReasons(earlier: readonly AssessmentInSeries[], now: AssessmentInSeries): CourseReason[] {
  const { observations } = now;
  if (observations === null) return [];
  const skin = SPREADING.map(([finding, code]) =>
    presenceReason(earlier, now, ['periwound', code], 'a while', ({ periwound }) => periwound?.includes(finding)),
  ).filter((reason) => reason !== null);
  return [
    gradeReason(earlier, now, ['exudate', 'exudate_amount'], EXUDATE_AMOUNTS, ({ exudate }) => exudate),
    presenceReason(earlier, now, ['exudate', 'exudate_purulent'], 'always', ({ exudateType }) =>
      exudateType === undefined ? undefined : exudateType === 'purulent',
    ),
    gradeReason(earlier, now, ['odour', 'odour'], ODOURS, ({ odour }) => odour) ??
      presenceReason(earlier, now, ['odour', 'odour_strong'], 'always', ({ odour }) =>
        odour === undefined ? undefined : odour === 'strong',
      ),
    ...skin,
    skin.length > 0
      ? null
      : fewerReason(earlier, now, ['periwound', 'periwound_findings'], SOUND_SKIN, ({ periwound }) => periwound),
    presenceReason(earlier, now, ['edges', 'edge_undermined'], 'a while', ({ edges }) =>
      edges?.includes('undermined'),
    ) ?? fewerReason(earlier, now, ['edges', 'edge_findings'], SOUND_EDGES, ({ edges }) => edges),
  ].filter((reason) => reason !== null);
}

/** Signs of infection: of the set for this kind of wound, and in the clinician's own words. */
export function infectionReasons(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  worse: FindingChanges,
): CourseReason[] {
  const before = earlier.findLast(isStated) ?? null;
  const set: SignSet = isDiabeticFootUlcer(now.woundType) === true ? 'iwgdf' : 'stonees';
  const signs = now.observations === null ? [] : signsOf(set, now.observations, worse);
  const signsThen = before?.observations ? signsOf(set, before.observations, NOTHING_WORSE) : [];
  const words = infectionWordsOf(now.observations);
  const wordsThen = infectionWordsOf(before?.observations ?? null);
  const isNew = (then: number, least: number) => earlier.length > 0 && then < least;
  return [
    ...(signs.length < LEAST_SIGNS[set]
      ? []
      : [
          reasonOf(
            now,
            before,
            ['infection', `signs_${set}`],
            isNew(signsThen.length, LEAST_SIGNS[set]) ? 'worse' : 'persists',
            {
              from: before === null ? null : signsThen.length,
              to: signs.length,
            },
          ),
        ]),
    ...(words.length === 0
      ? []
      : [
          reasonOf(now, before, ['infection', 'clinician_words'], isNew(wordsThen.length, 1) ? 'worse' : 'persists', {
            from: before === null ? null : wordsThen.length,
            to: words.length,
          }),
        ]),
  ];
}

const NOTHING_WORSE: FindingChanges = { area: false, pain: false, exudate: false, pockets: false };

type Named = readonly [Domain, ReasonCode];

/** Against the statement before: a step up is worse, and persists for some weeks where it stays; a step down to where it was not for some weeks is better. */
function gradeReason<Grade extends string>(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  named: Named,
  grades: readonly Grade[],
  of: (observations: ClinicianObservations) => Grade | undefined,
): CourseReason | null {
  const to = of(now.observations!);
  const known = statedBy(earlier, of);
  const last = known.at(-1);
  if (to === undefined || last === undefined) return null;
  const level = (grade: Grade) => grades.indexOf(grade);
  if (level(to) > level(last.value)) return reasonOf(now, last.at, named, 'worse', { from: last.value, to });
  const lately = known.filter(({ at }) => isLately(at, now));
  const lower = lately.findLast(({ value }) => level(value) < level(to));
  // Back to where it was some weeks ago is no gain.
  const isLowest = lately.every(({ value }) => level(value) > level(to));
  if (level(to) < level(last.value) && lower === undefined)
    return isLowest ? reasonOf(now, last.at, named, 'better', { from: last.value, to }) : null;
  return lower === undefined ? null : reasonOf(now, lower.at, named, 'persists', { from: lower.value, to });
}

/**
 * A sign that was not there the time before is worse, also where nobody who looked before stated the field; one that is known to be gone is better. One
 * that stays persists: always, or a while, as many a wound's skin is red for years. Where nobody stated anything before, it may always have been there.
 */
function presenceReason(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  named: Named,
  persisting: 'always' | 'a while',
  of: (observations: ClinicianObservations) => boolean | undefined,
): CourseReason | null {
  const present = of(now.observations!);
  const known = statedBy(earlier, of);
  const last = known.at(-1);
  const told = (direction: Direction, before: Stated<boolean> | undefined) => {
    const words = (is: boolean) => (is ? 'present' : 'absent');
    const from = before === undefined ? null : words(before.value);
    return reasonOf(now, before?.at ?? null, named, direction, { from, to: words(present === true) });
  };
  if (present === false) return last?.value === true ? told('better', last) : null;
  if (present === undefined) return null;
  if (last?.value === false || (last === undefined && earlier.some(isStated))) return told('worse', last);
  const without = known.findLast(({ at, value }) => !value && isLately(at, now));
  return persisting === 'always' || without !== undefined ? told('persists', without ?? last) : null;
}

/** Fewer findings than the time before, and none that was not there, is better. */
function fewerReason<Finding extends string>(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  named: Named,
  sound: readonly Finding[],
  of: (observations: ClinicianObservations) => readonly Finding[] | undefined,
): CourseReason | null {
  const findings = of(now.observations!);
  const last = statedBy(earlier, of).at(-1);
  if (findings === undefined || last === undefined) return null;
  const [present, then] = [findings, last.value].map((all) => all.filter((one) => !sound.includes(one)));
  const isFewer = present!.length < then!.length && present!.every((one) => then!.includes(one));
  return isFewer ? reasonOf(now, last.at, named, 'better', { from: then!.length, to: present!.length }) : null;
}

interface Stated<T> {
  readonly at: AssessmentInSeries;
  readonly value: T;
}

function statedBy<T>(
  earlier: readonly AssessmentInSeries[],
  of: (observations: ClinicianObservations) => T | undefined,
): Stated<T>[] {
  return earlier.flatMap((at) => {
    const value = at.observations === null ? undefined : of(at.observations);
    return value === undefined ? [] : [{ at, value }];
  });
}

function isLately(at: AssessmentInSeries, now: AssessmentInSeries): boolean {
  return daysBetween(at, now) <= PERSISTING_DAYS;
}

function reasonOf(
  now: AssessmentInSeries,
  before: AssessmentInSeries | null,
  [domain, what]: Named,
  direction: Direction,
  { from, to }: Pick<CourseReason, 'from' | 'to'>,
): CourseReason {
  return {
    domain,
    what,
    direction,
    from,
    to,
    unit: typeof to === 'number' ? 'count' : null,
    days: before === null ? 0 : rounded(daysBetween(before, now), 1),
    interval: null,
    comparedWithReportId: before?.reportId ?? null,
  };
}
