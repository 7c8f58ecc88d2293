import { EXUDATE_AMOUNTS, ODOURS } from '../analysis/clinician-observations.js';
import { NINETY_FIVE_PERCENT } from '../measurement/interval.js';
import { logAreaSd } from './area-change.js';
import type { SeriesFindings } from './assessment.js';
import type { AttentionReason } from './attention.js';
import { WORSE_VERDICTS, type Course, type Verdict } from './course.js';
import type { FlagCode } from './flag-codes.js';
import type { FollowUpFlag } from './flags.js';
import { bare } from './negated-words.js';
import type { RaisedReason } from './raised-reason.js';
import { isOfOneVisit } from './same-visit.js';
import type { AssessmentInSeries } from './series-order.js';
import { isLowerStage } from './stage-reason.js';
import type { UnconfirmedNecrosis } from './unconfirmed-necrosis.js';

/** What is said of one assessment. */
interface Told {
  readonly findings?: Pick<SeriesFindings, 'tissue' | 'figures' | 'areaRepeatabilityPct' | 'scale'>;
  readonly flags: readonly Pick<FollowUpFlag, 'code' | 'value' | 'words'>[];
  readonly comparison: {
    readonly attention: readonly AttentionReason[];
    readonly course?: Course;
    readonly unconfirmedNecrosis?: UnconfirmedNecrosis;
    readonly closure?: { readonly closedAt: string } | null;
    readonly reset?: { readonly baselineReportId: string };
    readonly raisedBefore?: readonly RaisedReason[];
  };
}

const WORSE_BY_REASONS: readonly Verdict[] = ['worsening', 'mixed'];
/** Flags that may say more than one that was told; the others are told of the wound, not of the photo. */
const BY_VALUE: readonly FlagCode[] = ['necrosis_rising', 'size_mismatch'];

/** From the least on, of what is told in words. */
const GRADES: readonly (readonly string[])[] = [EXUDATE_AMOUNTS, ODOURS];

/** All of it, whether or not it has been told. */
function raisedBy({ flags, comparison: { course, unconfirmedNecrosis } }: Told): RaisedReason[] {
  const worse = (course?.because ?? []).filter(({ direction }) => direction === 'worse').map(({ what }) => what);
  const verdict = course === undefined || !WORSE_VERDICTS.includes(course.verdict) ? [] : [course.verdict];
  const look = unconfirmedNecrosis === undefined ? [] : (['unconfirmed_necrosis'] as const);
  return [...new Set([...flags.map(({ code }) => code), ...verdict, ...worse, ...look])];
}

/**
 * What has to be told of this report: nothing twice for one visit, but each photo that waits, since a person has to decide about each.
 * @param before its version before: nothing that it told as well, and no less of it; null: none
 */
export function newlyRaised(told: Told, before: Told | null = null): (RaisedReason | AttentionReason)[] {
  const known = before === null ? [] : toldBy(before);
  const waiting = told.comparison.attention.filter((reason) => before?.comparison.attention.includes(reason) !== true);
  const more = toldBy(told).filter((one) => !known.some((other) => isNoMore(one, other)));
  return [...waiting, ...more.map(({ raised }) => raised)];
}

function toldBy(told: Told): ToldReason[] {
  const { raisedBefore = [] } = told.comparison;
  return raisedBy(told)
    .filter((reason) => !raisedBefore.includes(reason))
    .map((reason) => reasonIn(told, reason));
}

/** What is told, with how much of it and which signs or words. */
interface ToldReason {
  readonly raised: RaisedReason;
  readonly to: number | string | null;
  readonly signs: readonly string[];
  /** Of the area: so much of it is no more than was told. */
  readonly mostCm2?: number | undefined;
}

/** Goes from assessment to assessment of one wound and remembers what was told of each. */
export class AttentionOfVisit {
  /** What each newly told; what it told once more is counted from when it was told. */
  private earlier: { readonly at: AssessmentInSeries; readonly told: readonly ToldReason[] }[] = [];
  private closedAt: string | null = null;

  /**
   * What earlier photos of the visit have told of the same, and not less of it; of necrosis what any has that nobody has answered. A photo that waits has
   * told nothing: it may be of another wound.
   * @param isNecrosisTold whether that was told of this wound before
   */
  before(now: AssessmentInSeries, told: Told, isNecrosisTold: boolean): RaisedReason[] {
    this.earlier = this.isAnew(now, told.comparison) ? [] : this.earlier.filter(({ at }) => isOfOneVisit(at, now));
    const known = this.earlier.flatMap((one) => one.told);
    const all = raisedBy(told).map((raised) => reasonIn(told, raised));
    const isKnown = (one: ToldReason) =>
      one.raised === 'unconfirmed_necrosis' ? isNecrosisTold : known.some((other) => isNoMore(one, other));
    if (told.comparison.attention.length === 0)
      this.earlier.push({ at: now, told: all.filter((one) => !isKnown(one)) });
    return all.filter(isKnown).map(({ raised }) => raised);
  }

  /** A person closed the wound, or it was treated, since the photo before. */
  private isAnew({ reportId }: AssessmentInSeries, { closure, reset }: Told['comparison']): boolean {
    const closedAt = closure?.closedAt ?? null;
    const isOtherClosure = closedAt !== this.closedAt;
    this.closedAt = closedAt;
    return isOtherClosure || reset?.baselineReportId === reportId;
  }
}

function reasonIn({ findings, flags, comparison: { course } }: Told, raised: RaisedReason): ToldReason {
  const reason = course?.because.find(({ direction, what }) => direction === 'worse' && what === raised);
  const flag = flags.find(({ code }) => code === raised);
  const value = flag !== undefined && BY_VALUE.includes(flag.code) ? flag.value : null;
  // Points since the photo before say nothing of two photos that are compared with different ones.
  const reached = flag?.code === 'necrosis_rising' ? findings?.tissue?.necrosis : undefined;
  const signs = reason?.signs ?? (flag?.words ?? []).map((words) => bare(words) || words);
  if (reason?.domain === 'area') return { raised, signs, ...areaTold(reason.to, findings) };
  return { raised, to: reason?.to ?? reached ?? value, signs };
}

/** An area is measured anew each time: another photo, or outline, of the same wound shows no more. Findings that nobody hands over say nothing of how much. */
function areaTold(areaCm2: ToldReason['to'], findings: Told['findings']): Pick<ToldReason, 'to' | 'mostCm2'> {
  if (typeof areaCm2 !== 'number' || (findings?.figures?.area.cm2 ?? null) === null) return { to: null };
  return { to: areaCm2, mostCm2: areaCm2 * Math.exp(NINETY_FIVE_PERCENT * Math.SQRT2 * logAreaSd(findings!)) };
}

/** Which of two verdicts it is follows from what is better; what is worse is told by itself. */
function isNoMore(one: ToldReason, known: ToldReason): boolean {
  const isSame =
    one.raised === known.raised ||
    [one, known].every(({ raised }) => WORSE_BY_REASONS.some((verdict) => verdict === raised));
  return (
    isSame && isNoHigher(one.to, known.mostCm2 ?? known.to) && one.signs.every((sign) => known.signs.includes(sign))
  );
}

/** A grade or stage that is lower is no more; a stage of another system counts as higher. */
function isNoHigher(one: ToldReason['to'], known: ToldReason['to']): boolean {
  if (one === null || one === known) return true;
  if (typeof one === 'number' && typeof known === 'number') return one <= known;
  const [word, told] = [String(one), String(known)];
  if (isLowerStage(word, told)) return true;
  return GRADES.some((grades) => grades.includes(word) && grades.indexOf(word) <= grades.indexOf(told));
}
