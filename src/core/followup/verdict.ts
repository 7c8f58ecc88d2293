import { areaReason, hasNotShrunk, isAreaCompared, relationReason, resetReason } from './area-reasons.js';
import { isResetting, type TimedEvent } from './clinical-event.js';
import { withoutContradictedDenials } from './contradicted-denial.js';
import { WORSE_VERDICTS, type Course, type CourseReason, type Verdict, type WaitsFor } from './course.js';
import { withoutOutdated } from './dated-findings.js';
import { withFormsOfPhotos } from './forms-of-photos.js';
import { flagSeries, type FollowUpFlag } from './flags.js';
import { statingLately } from './stating-lately.js';
import { compareSeries, type SeriesComparison } from './series.js';
import { inOrderOfCapture, type AssessmentInSeries } from './series-order.js';
import { statedReasons } from './stated-reasons.js';
import type { SeriesRelation } from './related-areas.js';
import { inheritedReasons } from './inherited-reasons.js';
import { NecrosisRises } from './necrosis-rise.js';
import { AttentionOfVisit } from './raised-reasons.js';
import { inOrderOfTelling, worseOfEach } from './reason-order.js';
import { ReasonsOfVisit } from './reasons-of-visit.js';
import { isLately } from './remembered.js';
import { isOfOneVisit } from './same-visit.js';
import { isStatedAsOpen } from './stated-as-open.js';
import { NecrosisWatch } from './unconfirmed-necrosis.js';
import type { AfterTreatment } from './tissue-reasons.js';
import type { Closure } from './wound-closure.js';

/** What is said of each assessment of one wound. */
export interface FollowUpSeries {
  /** Each with its course. */
  readonly comparisons: ReadonlyMap<string, SeriesComparison>;
  readonly flags: ReadonlyMap<string, readonly FollowUpFlag[]>;
}

/** Compares, flags and judges each assessment of one wound. `closures`, `events`, `relations`: oldest first. */
export function followSeries(
  assessments: readonly AssessmentInSeries[],
  closures: readonly Closure[] = [],
  events: readonly TimedEvent[] = [],
  relations: readonly SeriesRelation[] = [],
): FollowUpSeries {
  const ofPhotos = withFormsOfPhotos(assessments);
  const compared = compareSeries(ofPhotos, closures, events, relations);
  const flags = flagSeries(ofPhotos, compared, relations);
  const walk = new VerdictWalk(relations, events.filter(isResetting));
  const watch = new NecrosisWatch();
  const told = new AttentionOfVisit();
  const comparisons = new Map<string, SeriesComparison>();
  for (const assessment of inOrderOfCapture(ofPhotos)) {
    const comparison = compared.get(assessment.reportId)!;
    const ofPhoto = flags.get(assessment.reportId)!;
    const course = walk.next(assessment, comparison, ofPhoto);
    const look = watch.next(assessment, comparison);
    const judged = { ...comparison, ...(look === null ? {} : { unconfirmedNecrosis: look.necrosis }), course };
    const raisedBefore = told.before(
      assessment,
      { ...assessment, flags: ofPhoto, comparison: judged },
      look?.isTold === true,
    );
    comparisons.set(assessment.reportId, { ...judged, ...(raisedBefore.length === 0 ? {} : { raisedBefore }) });
  }
  return { comparisons, flags };
}

/** Goes from assessment to assessment and remembers what clinicians stated in the present episode. */
class VerdictWalk {
  private closedAt: string | null = null;
  private isReopeningTold = true;
  private earlier: AssessmentInSeries[] = [];
  /** Of those the ones that take nothing back, each with what does: null where it waits for a person, since it may be of another wound. */
  private readonly waiting = new Map<AssessmentInSeries, AssessmentInSeries | null>();
  private readonly visit = new ReasonsOfVisit();
  private readonly necrosis = new NecrosisRises();
  /** The first photos after treatments. */
  private afterTreatment: AfterTreatment = [];
  private last: Course | null = null;

  constructor(
    private readonly relations: readonly SeriesRelation[],
    private readonly treatments: readonly TimedEvent[],
  ) {}

  next(assessment: AssessmentInSeries, comparison: SeriesComparison, flags: readonly FollowUpFlag[]): Course {
    this.beginEpisode(comparison);
    const waitsFor = waitsForOf(comparison);
    const isPlaced = comparison.supersededBy === null && !comparison.attention.includes('site_mismatch');
    if (isPlaced) this.beginAfterTreatment(assessment);
    const found = isPlaced ? this.reasonsOf(assessment, comparison, flags) : [];
    const isNecrosisRising = isPlaced && this.necrosis.isRisingAt(assessment, flags);
    const because = this.isAsClosed(assessment, comparison) ? inOrderOfTelling(found.map(sinceClosing)) : found;
    const { verdict, since } = this.ofClosure(assessment, comparison, because) ?? {
      verdict: verdictOf(because, comparison, isNecrosisRising),
      since: null,
    };
    const capturedAt = assessment.capturedAt.toISOString();
    const course = { verdict, since: since ?? this.sinceOf(verdict, capturedAt), because, waitsFor };
    if (isPlaced) {
      const counting = comparison.attention.length > 0 ? null : withoutOutdated(assessment, this.decided);
      this.earlier.push(assessment);
      if (counting !== assessment) this.waiting.set(assessment, counting);
      this.last = course;
    }
    return course;
  }

  /** With what speaks against it by other forms of the visit, and by what was stated of the wounds that it grew out of. */
  private reasonsOf(assessment: AssessmentInSeries, comparison: SeriesComparison, flags: readonly FollowUpFlag[]) {
    const ofPhoto = photoReasons(assessment, comparison, flags);
    const isLarger = ofPhoto.some(({ direction }) => direction === 'worse');
    const stated = this.statedWhere(assessment, isLarger, comparison);
    const told = worseOfEach([...ofPhoto, ...stated], this.visit.before(assessment));
    // Whether it is larger the next photo tells by itself.
    this.visit.remember(assessment, isLarger ? this.statedWhere(assessment, false, comparison) : stated);
    return inOrderOfTelling(told);
  }

  /**
   * A form that waits for a person takes nothing back and is no gain, on its own photo nor on later ones, since it may be of another wound; nor does what was
   * found before another form was filled in. What they say against this one counts.
   */
  private statedWhere(now: AssessmentInSeries, isLarger: boolean, { attention, relation }: SeriesComparison) {
    const isWaiting = attention.length > 0;
    const found = this.foundAmong(this.decided, now, isLarger);
    const inherited = relation === null ? [] : this.inheritedBy(now);
    const own = isWaiting ? againstIn(found) : this.toldWithoutOutdated(found, now, isLarger);
    const lately = [...this.waiting.keys()].some((one) => isLately(one, now)) ? [this.earlier] : [];
    const others = isWaiting ? [...lately, this.decided] : lately;
    const remembered = others.map((known) =>
      this.foundAmong(known, isWaiting ? withoutStatements(now) : now, isLarger).filter(
        ({ direction, to }) => direction === 'persists' && to === null,
      ),
    );
    return [...remembered, inherited].reduce((known, more) => worseOfEach(known, more), own);
  }

  private toldWithoutOutdated(found: CourseReason[], now: AssessmentInSeries, isLarger: boolean): CourseReason[] {
    const counting = withoutOutdated(now, this.decided);
    if (counting === now) return this.toldAlsoWithVisit(found, now, isLarger);
    const ofCounting = this.foundAmong(this.decided, counting, isLarger);
    return worseOfEach(
      this.toldAlsoWithVisit(ofCounting, counting, isLarger),
      this.toldOnce(againstIn(found), now, isLarger),
    );
  }

  /** What was found long ago and is sent again with each photo has been told by the first of them. */
  private toldOnce(found: readonly CourseReason[], now: AssessmentInSeries, isLarger: boolean): CourseReason[] {
    if (found.every(({ direction }) => direction !== 'worse')) return [...found];
    const known = this.foundAmong(this.earlier, now, isLarger);
    const isNew = ({ what }: CourseReason) => known.some((one) => one.what === what && one.direction === 'worse');
    return found.map((one) => (one.direction !== 'worse' || isNew(one) ? one : { ...one, direction: 'persists' }));
  }

  /** A gain that a form of this visit which waits does not leave is none: what is told with that form stands in its place. */
  private toldAlsoWithVisit(found: CourseReason[], now: AssessmentInSeries, isLarger: boolean): CourseReason[] {
    const isOfVisit = (one: AssessmentInSeries) => isOfOneVisit(one, now);
    if (found.every(({ direction }) => direction !== 'better') || ![...this.waiting.keys()].some(isOfVisit))
      return found;
    const known = this.earlier.flatMap((one) => (isOfVisit(one) ? one : this.countingOf(one)));
    const withThem = this.foundAmong(known, now, isLarger);
    return found.flatMap((one) =>
      one.direction === 'better' ? withThem.filter(({ what }) => what === one.what).slice(0, 1) : [one],
    );
  }

  private foundAmong(known: readonly AssessmentInSeries[], now: AssessmentInSeries, isLarger: boolean): CourseReason[] {
    const written = statingLately(known, now);
    const stating = withoutContradictedDenials([...written, now]);
    const earlier = stating.slice(0, -1);
    return statedReasons({ earlier, written, afterTreatment: this.afterTreatment }, stating.at(-1)!, isLarger);
  }

  private get decided(): readonly AssessmentInSeries[] {
    return this.waiting.size === 0 ? this.earlier : this.earlier.flatMap((one) => this.countingOf(one));
  }

  private countingOf(one: AssessmentInSeries): AssessmentInSeries | [] {
    const counting = this.waiting.get(one);
    return counting === undefined ? one : (counting ?? []);
  }

  private inheritedBy(now: AssessmentInSeries): CourseReason[] {
    const from = this.closedAt === null ? -Infinity : Date.parse(this.closedAt);
    const counting = this.relations.filter(({ at }) => at.getTime() >= from && at <= now.capturedAt);
    return inheritedReasons(counting, this.decided, now);
  }

  private beginEpisode({ closure }: SeriesComparison): void {
    const closedAt = closure?.closedAt ?? null;
    if (closedAt === this.closedAt) return;
    this.closedAt = closedAt;
    this.isReopeningTold = false;
    this.earlier = [];
    this.waiting.clear();
    this.forgetVisit();
    this.afterTreatment = [];
    this.last = null;
  }

  /** An event between two photos of one day makes two visits of them; it need not have changed an area, nor be of the same week. */
  private beginAfterTreatment(assessment: AssessmentInSeries): void {
    const before = this.earlier.at(-1)?.capturedAt;
    const between = this.treatments.filter(
      ({ occurredAt }) => before !== undefined && occurredAt >= before && occurredAt < assessment.capturedAt,
    );
    if (between.length === 0) return;
    const types = between.map(({ type }) => type);
    const type = (['graft', 'surgery', 'debridement'] as const).find((one) => types.includes(one))!;
    this.afterTreatment = [...this.afterTreatment, { capturedAt: assessment.capturedAt, type }];
    this.forgetVisit();
  }

  private forgetVisit(): void {
    this.visit.forget();
    this.necrosis.forget();
  }

  /** A person closed it, and neither a person nor a photo had opened it by then. */
  private isAsClosed({ capturedAt }: AssessmentInSeries, { closure }: SeriesComparison): boolean {
    if (closure === null || this.isReopeningTold) return false;
    return closure.reopenedAt === null || Date.parse(closure.reopenedAt) > capturedAt.getTime();
  }

  /** Of a wound that a person had closed: seen again, or as it was left. Told as reopened by the first photo that shows a wound. */
  private ofClosure(
    assessment: AssessmentInSeries,
    { closure, supersededBy, attention }: SeriesComparison,
    because: readonly CourseReason[],
  ): Pick<Course, 'verdict' | 'since'> | null {
    if (closure === null || supersededBy !== null || this.isReopeningTold) return null;
    const { findings, capturedAt } = assessment;
    if (findings.woundDetected && attention.length === 0) {
      this.isReopeningTold = true;
      return { verdict: 'reopened', since: closure.reopenedAt ?? capturedAt.toISOString() };
    }
    const isOpen = [this.earlier, this.decided].some((known) => isStatedAsOpen(known, assessment));
    if (because.some(isAgainstClosing) || isOpen) return null;
    if (attention.length > 0 || closure.reopenedAt !== null) return null;
    return { verdict: closure.reason === 'healed' ? 'closed' : 'ended', since: closure.closedAt };
  }

  private sinceOf(verdict: Verdict, capturedAt: string): string {
    return this.last?.verdict === verdict ? this.last.since : capturedAt;
  }
}

/** Nobody closes a wound that has pus or is infected: what is stated of one after it was closed came since, also where nothing was stated in between. */
function sinceClosing(reason: CourseReason): CourseReason {
  const isInfected = reason.what === 'exudate_purulent' || INFECTED.includes(reason.what);
  const isStatedNow = reason.direction === 'persists' && reason.to !== null;
  return isInfected && isStatedNow ? { ...reason, direction: 'worse' } : reason;
}

const INFECTED: readonly CourseReason['what'][] = [
  'signs_iwgdf',
  'signs_nerds',
  'signs_stonees',
  'signs_spreading',
  'clinician_words',
];

/** What is worse, or there still, is not passed over because a person had closed the wound before. */
function isAgainstClosing({ direction }: CourseReason): boolean {
  return direction === 'worse' || direction === 'persists';
}

function againstIn(reasons: readonly CourseReason[]): CourseReason[] {
  return reasons.filter(({ direction }) => direction !== 'better');
}

function withoutStatements(at: AssessmentInSeries): AssessmentInSeries {
  return { ...at, observations: null, findings: { ...at.findings, confirmedTissues: [] } };
}

/** By what the photo shows itself. */
function photoReasons(
  now: AssessmentInSeries,
  comparison: SeriesComparison,
  flags: readonly FollowUpFlag[],
): CourseReason[] {
  return [areaReason(now, comparison, flags), resetReason(now, comparison), relationReason(now, comparison)].filter(
    (reason) => reason !== null,
  );
}

/** Nothing is improving that has a sign of the opposite, and nothing whose area is not known. */
function verdictOf(because: readonly CourseReason[], comparison: SeriesComparison, isNecrosisRising: boolean): Verdict {
  const has = (direction: CourseReason['direction']) => because.some((reason) => reason.direction === direction);
  const isAreaWorse = because.some(({ domain, direction }) => domain === 'area' && direction === 'worse');
  if (isAreaWorse) return 'worsening';
  if (has('worse')) return has('better') ? 'mixed' : 'worsening';
  if (!isAreaCompared(comparison) || comparison.supersededBy !== null) return 'unknown';
  const isBarred = has('persists') || hasNotShrunk(comparison) || isNecrosisRising;
  return has('better') && !isBarred ? 'improving' : 'unchanged';
}

function waitsForOf({ attention, noTrendReason }: SeriesComparison): WaitsFor[] {
  if (attention.length > 0) return [...attention];
  return noTrendReason === null || noTrendReason === 'superseded' ? [] : [noTrendReason];
}

/** Whether a receiver has to be told of it as worse. */
export function isWorse({ verdict }: Course): boolean {
  return WORSE_VERDICTS.includes(verdict);
}
