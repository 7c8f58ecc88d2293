import { rounded } from '../measurement/rounded.js';
import type { ResettingEvent } from './clinical-event.js';
import type { CourseReason, Direction } from './course.js';
import { isLately } from './remembered.js';
import { isOfOneVisit, lastVisitOf } from './same-visit.js';
import { daysBetween, type AssessmentInSeries } from './series-order.js';
import { creepOf, type IsMore, type RiseOfVisits, type Share } from './creeping-share.js';
import { formsBefore, riseAtVisit, worstOf } from './stated-at-visit.js';

/** Less may come from another light, or another eye. */
const LEAST_POINTS = 20;
const DEAD_TISSUES = ['necrosis', 'slough'] as const;
type DeadTissue = (typeof DEAD_TISSUES)[number];

/** First photos after a treatment that changes a wound by itself: what was stated before it is of another visit, however few hours lie between. */
export type AfterTreatment = readonly TreatedPhoto[];

interface TreatedPhoto extends Pick<AssessmentInSeries, 'capturedAt'> {
  /** The treatment between it and the photo before; of several a graft, else an operation. */
  readonly type: ResettingEvent;
}

/**
 * Dead tissue as clinicians confirmed it: its share down or up, and necrosis where they had confirmed that there was none. Of one visit the highest share
 * counts, so that neither a second photo nor a rise in small steps hides it, be it over weeks. Necrosis that nobody had looked for before, and a rise that nobody has looked
 * at since, persist for some weeks: neither is known to be new, or gone.
 */
export function tissueReasons(
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  afterTreatment: AfterTreatment = [],
): CourseReason[] {
  return DEAD_TISSUES.map((tissue) => reasonOf(tissue, earlier, now, afterTreatment)).filter(
    (reason) => reason !== null,
  );
}

function reasonOf(
  tissue: DeadTissue,
  earlier: readonly AssessmentInSeries[],
  now: AssessmentInSeries,
  afterTreatment: AfterTreatment,
): CourseReason | null {
  const shares = [...earlier, now].flatMap((at): Share[] => {
    const value = confirmedPct(tissue, at);
    return value === null ? [] : [{ at, value }];
  });
  const last = shares.at(-1);
  if (last === undefined) return null;
  if (last.at === now) return reasonOfVisit(tissue, shares, earlier, afterTreatment);
  // That it was worse when a clinician last looked.
  const then = isLately(last.at, now) ? reasonOfVisit(tissue, shares, earlier, afterTreatment) : null;
  if (then === null || then.direction === 'better') return null;
  return { ...then, direction: 'persists', to: null, days: rounded(daysBetween(last.at, now), 1) };
}

/** Of the visit of the last share. */
function reasonOfVisit(
  tissue: DeadTissue,
  shares: readonly Share[],
  earlier: readonly AssessmentInSeries[],
  afterTreatment: AfterTreatment,
): CourseReason | null {
  const visit = sinceTreatment(lastVisitOf(shares), afterTreatment);
  const before = sinceTreatment(lastVisitOf(shares.slice(0, shares.length - visit.length)), afterTreatment);
  const highest = worstOf(visit, isHigher);
  const rise = riseAtVisit(before, visit, isMoreOf(tissue), isHigher);
  const visits = visitsOf(shares, afterTreatment);
  const isMore = isMoreThanBeforeTreatment(isMoreOf(tissue), visits, afterTreatment);
  if (rise !== null && isMore(rise.to, rise.from)) return told(tissue, 'worse', rise.from, rise.to);
  const creep = creepAmong(tissue, visits, isMore, afterTreatment);
  if (creep !== null) return told(tissue, creep.direction, creep.from, highest);
  if (before.length === 0) {
    const isPerhapsNew = tissue === 'necrosis' && highest.value > 0 && visit[0]!.at !== (earlier[0] ?? visit[0]!.at);
    return isPerhapsNew ? told(tissue, 'persists', null, highest) : null;
  }
  const lowest = worstOf([...formsBefore(before, visit[0]!.at), ...visit], isLower);
  // More than one of them said, by no more than they differ: nobody knows that it is less.
  if (isMoreOf(tissue)(highest.value, lowest.value)) return told(tissue, 'persists', lowest, highest);
  const least = worstOf(before, isLower);
  if (least.value - highest.value < LEAST_POINTS) return null;
  // What a treatment took away did not heal.
  return isTreatedBetween(least.at, highest.at, afterTreatment) ? null : told(tissue, 'better', least, highest);
}

/** Over all visits, and over those that no treatment had just left: else what is taken away each week would hide that it grows. */
function creepAmong(
  tissue: DeadTissue,
  visits: readonly Share[],
  isMore: IsMore,
  afterTreatment: AfterTreatment,
): RiseOfVisits | null {
  const isLeft = ({ at }: Share) =>
    afterTreatment.some((treated) => treated.capturedAt <= at.capturedAt && isOfOneVisit(treated, at));
  const last = visits.at(-1)!;
  const creeps = [
    creepOf(visits, isMore),
    isLeft(last)
      ? null
      : creepOf(
          visits.filter((one) => !isLeft(one)),
          isMore,
        ),
  ];
  const worse = creeps.find((creep) => creep?.direction === 'worse') ?? creeps.find((creep) => creep !== null);
  if (worse !== undefined && worse !== null) return worse;
  const back = creepOf(visits, (one, before) => isMoreOf(tissue)(one.value, before.value));
  return back === null ? null : { ...back, direction: 'persists' };
}

/** The highest share of each visit, oldest first. */
function visitsOf(shares: readonly Share[], afterTreatment: AfterTreatment): Share[] {
  const visits: { readonly first: Share; highest: Share }[] = [];
  for (const one of shares) {
    const visit = visits.at(-1);
    const isOfVisit =
      visit !== undefined &&
      isOfOneVisit(visit.first.at, one.at) &&
      !isTreatedBetween(visit.first.at, one.at, afterTreatment);
    if (!isOfVisit) visits.push({ first: one, highest: one });
    else if (one.value > visit.highest.value) visit.highest = one;
  }
  return visits.map(({ highest }) => highest);
}

function isTreatedBetween(one: AssessmentInSeries, other: AssessmentInSeries, afterTreatment: AfterTreatment): boolean {
  return afterTreatment.some(({ capturedAt }) => capturedAt > one.capturedAt && capturedAt <= other.capturedAt);
}

function sinceTreatment(visit: readonly Share[], afterTreatment: AfterTreatment): Share[] {
  const last = visit.at(-1)?.at.capturedAt;
  if (last === undefined) return [];
  const from = afterTreatment.findLast(({ capturedAt }) => capturedAt <= last)?.capturedAt;
  return visit.filter(({ at }) => from === undefined || at.capturedAt >= from);
}

/**
 * What a debridement took away some weeks ago at most and what came back since is no more than it was before: it persists. Else a wound that is debrided each
 * week would be worse each week; so would one that a surgeon cleans each week, from the second time on. On a graft, or after an operation that is the first for
 * some weeks, dead tissue is that of a treatment which fails.
 */
function isMoreThanBeforeTreatment(
  isMore: (one: number, other: number) => boolean,
  visits: readonly Share[],
  afterTreatment: AfterTreatment,
): IsMore {
  return (one, before) => {
    if (!isMore(one.value, before.value)) return false;
    const treated = afterTreatment.findLast(({ capturedAt }) => capturedAt <= before.at.capturedAt);
    if (treated === undefined || !isLately(treated, one.at) || !isRepeated(treated, afterTreatment)) return true;
    const left = visits.findLast(({ at }) => at.capturedAt < treated.capturedAt);
    return left === undefined || isMore(one.value, left.value);
  };
}

/** A debridement each time; an operation where another lay some weeks before at most; a graft never. */
function isRepeated(treated: TreatedPhoto, afterTreatment: AfterTreatment): boolean {
  if (treated.type !== 'surgery') return treated.type === 'debridement';
  return afterTreatment.some(
    (one) => one.type === 'surgery' && one.capturedAt < treated.capturedAt && isLately(one, treated),
  );
}

/** Necrosis where there was none is more, however little. */
function isMoreOf(tissue: DeadTissue) {
  return (one: number, other: number) =>
    one - other >= LEAST_POINTS || (tissue === 'necrosis' && other === 0 && one > 0);
}

function isHigher(one: number, other: number): boolean {
  return one > other;
}

function isLower(one: number, other: number): boolean {
  return one < other;
}

function told(tissue: DeadTissue, direction: Direction, from: Share | null, to: Share): CourseReason {
  return {
    domain: 'tissue',
    what: tissue,
    direction,
    from: from?.value ?? null,
    to: to.value,
    unit: 'percent',
    days: from === null ? 0 : rounded(daysBetween(from.at, to.at), 1),
    interval: null,
    comparedWithReportId: from?.at.reportId ?? null,
  };
}

/** null: no clinician stated it. */
function confirmedPct(tissue: DeadTissue, { findings }: AssessmentInSeries): number | null {
  if (findings.tissue === null || !findings.confirmedTissues.includes(tissue)) return null;
  return rounded(100 * findings.tissue[tissue], 1);
}
