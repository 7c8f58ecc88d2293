import { areaOf, changeBetween, isComparable, isOtherVisit, type AreaChange } from './area-change.js';
import { LONGEST_SLOPE_DAYS, slopeOf, type AreaSlope } from './area-slope.js';
import { asLeftBy, EpisodeAreas, resetBefore, type AreaReset } from './area-reset.js';
import { noTrendReasonOf, type NoTrendReason } from './assessment.js';
import { ageGroupIn, attentionOf, type AttentionReason } from './attention.js';
import type { AgeGroup } from '../patients/patient-age.js';
import type { ResettingEvent, TimedEvent } from './clinical-event.js';
import type { Course } from './course.js';
import {
  acrossSplit,
  areasBefore,
  drawnOf,
  NOT_SUMMED,
  plainly,
  refsOf,
  relationAt,
  type AreaRelation,
  type SeriesRelation,
} from './related-areas.js';
import { daysBetween, isDayKnown, standingOf, type AssessmentInSeries, type StatedSite } from './series-order.js';
import type { RaisedReason } from './raised-reason.js';
import { growthLimitsFor } from './growth-limits.js';
import { isRareGrowth } from './rare-growth.js';
import { sinceLastTurn } from './turn.js';
import type { UnconfirmedNecrosis } from './unconfirmed-necrosis.js';
import {
  acrossTreatment,
  linkOf,
  pointOf,
  smallestOf,
  type AssessmentLink,
  type SeriesPoint,
} from './series-points.js';
import { closureBefore, type Closure } from './wound-closure.js';

export type { AssessmentLink, SeriesPoint } from './series-points.js';

export const TRENDS = ['smaller', 'larger', 'within_detectable_change'] as const;
export type Trend = (typeof TRENDS)[number];

/** `slope`: over at least three assessments of at most eight weeks, since the last turn; `pair`: of two photos, against the one before or the smallest. */
export type TrendBasis = 'slope' | 'pair';

/** Of older rules: a comparison that they made is kept while its areas stay the same. */
export const PRESENT_RULES = 6;

export interface SeriesComparison {
  /** The edition of docs/follow-up.md that it was made by. */
  readonly rules: number;
  /** null: this area stands in the series. */
  readonly noTrendReason: NoTrendReason | null;
  /** Waits for a person; empty: does not. */
  readonly attention: readonly AttentionReason[];
  /** The photo before, measured or not. */
  readonly previousAssessment: AssessmentLink | null;
  /** The last assessment that this one can be compared with, safely where there is one. */
  readonly previous: SeriesPoint | null;
  readonly baseline: SeriesPoint | null;
  /** The smallest area before this one, of those that it can safely be compared with. */
  readonly smallest: SeriesPoint | null;
  readonly sincePrevious: AreaChange | null;
  readonly sinceBaseline: AreaChange | null;
  readonly sinceSmallest: AreaChange | null;
  readonly slope: AreaSlope | null;
  /** null where nothing is compared, and where the two are not comparable. */
  readonly trend: Trend | null;
  readonly trendBasis: TrendBasis | null;
  /** The report of the same photo that stands in place of this one. */
  readonly supersededBy: string | null;
  /** The report of the same photo, made before, that this one stands in place of. */
  readonly supersedes: string | null;
  /** A person had closed the wound before the photo was taken. */
  readonly closure: Closure | null;
  /** Of the patient on the photo; absent: an adult, or nobody knows. */
  readonly ageGroup?: AgeGroup;
  /** A treatment by which the area counts anew; absent: none. */
  readonly reset?: AreaReset;
  /** What grew together or fell apart, by which the area counts anew; absent: nothing. */
  readonly relation?: AreaRelation;
  /** Much necrosis that the software alone sees, for a person to look at; absent: none. */
  readonly unconfirmedNecrosis?: UnconfirmedNecrosis;
  /** What an earlier photo of the visit has told of the same, and of necrosis any; it raises no `wound.attention` again. Absent: nothing. */
  readonly raisedBefore?: readonly RaisedReason[];
  /** Better or worse, from all that is known; absent by rules 1 to 3, and where only areas were compared. */
  readonly course?: Course;
}

/** The comparison in figures, without the points that it is made with. */
export type SeriesChanges = Omit<SeriesComparison, 'previousAssessment' | 'previous' | 'baseline' | 'smallest'>;

/** The comparison of an assessment that nothing is known of yet. */
export const NOTHING_COMPARED: SeriesComparison = {
  rules: PRESENT_RULES,
  noTrendReason: null,
  attention: [],
  previousAssessment: null,
  previous: null,
  baseline: null,
  smallest: null,
  sincePrevious: null,
  sinceBaseline: null,
  sinceSmallest: null,
  slope: null,
  trend: null,
  trendBasis: null,
  supersededBy: null,
  supersedes: null,
  closure: null,
};

/** Half a year of weekly visits. */
const MOST_FOR_TURN = 25;

/**
 * Compares each assessment of one wound with those before, in the order of their photos: whatever arrives when, the series is the same, and a
 * later photo changes nothing that is said of earlier ones. Areas are compared within one episode: what was before a person closed the wound
 * is not the course of what came back; and since the last treatment that changed the area by itself; since wounds grew together
 * from their sums on. `closures`, `events`, `relations`: oldest first.
 */
export function compareSeries(
  assessments: readonly AssessmentInSeries[],
  closures: readonly Closure[] = [],
  events: readonly TimedEvent[] = [],
  relations: readonly SeriesRelation[] = [],
): Map<string, SeriesComparison> {
  const walk = new SeriesWalk(closures, events, relations);
  const standing = standingOf(assessments);
  const comparisons = new Map(standing.map((assessment) => [assessment.reportId, walk.next(assessment)]));
  const byPhoto = new Map(standing.map((assessment) => [assessment.imageId, assessment]));
  for (const assessment of inOrderOfMaking(assessments)) {
    const { reportId } = byPhoto.get(assessment.imageId)!;
    if (reportId === assessment.reportId) continue;
    const stands = comparisons.get(reportId)!;
    const { previousAssessment, closure } = stands;
    comparisons.set(assessment.reportId, {
      ...NOTHING_COMPARED,
      noTrendReason: 'superseded',
      previousAssessment,
      closure,
      supersededBy: reportId,
      ...ageOn(assessment),
    });
    comparisons.set(reportId, { ...stands, supersedes: assessment.reportId });
  }
  return comparisons;
}

function ageOn(assessment: AssessmentInSeries): Pick<SeriesComparison, 'ageGroup'> {
  const ageGroup = ageGroupIn(assessment);
  return ageGroup === null ? {} : { ageGroup };
}

function inOrderOfMaking(assessments: readonly AssessmentInSeries[]): AssessmentInSeries[] {
  return [...assessments].sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
}

/** Goes from photo to photo and remembers what later ones are compared with. */
class SeriesWalk {
  private before: AssessmentInSeries | null = null;
  private readonly accepted: StatedSite[] = [];
  /** Those of the present episode. */
  private areas = new EpisodeAreas();
  private closure: Closure | null = null;
  private reset: AreaReset | null = null;
  private joint: SeriesRelation | null = null;
  private relation: AreaRelation | null = null;
  private isRelationTold = false;
  /** Of the very wound, until it grew together with others or fell apart. */
  private own: readonly AssessmentInSeries[] = [];

  constructor(
    private readonly closures: readonly Closure[],
    private readonly events: readonly TimedEvent[],
    private readonly relations: readonly SeriesRelation[],
  ) {}

  next(assessment: AssessmentInSeries): SeriesComparison {
    this.beginEpisode(assessment);
    const own = noTrendReasonOf(assessment.findings) ?? (isDayKnown(assessment) ? null : 'day_unknown');
    const attention = attentionOf(assessment, this.accepted, this.areas.last, own === null);
    const noTrendReason = own ?? (attention.length > 0 ? 'awaiting_confirmation' : null);
    const treatment = noTrendReason === null ? this.beginSegment(assessment) : null;
    const compared = noTrendReason === null ? this.compare(assessment, treatment) : this.lastPoints();
    if (noTrendReason === null) this.tellRelation(assessment, compared);
    const comparison = {
      ...NOTHING_COMPARED,
      noTrendReason,
      attention,
      closure: this.closure,
      previousAssessment: this.before === null ? null : linkOf(this.before),
      ...compared,
      ...ageOn(assessment),
      ...(this.reset === null ? {} : { reset: this.reset }),
      ...(this.relation === null ? {} : { relation: this.relation }),
    };
    this.before = assessment;
    if (!attention.includes('site_mismatch')) this.accepted.push(assessment.stated);
    if (noTrendReason === null) this.areas.add(assessment, treatment);
    if (this.reset !== null) this.reset = { ...this.reset, change: null, beforeReportId: null };
    if (this.relation !== null && noTrendReason === null) this.relation = plainly(this.relation);
    return comparison;
  }

  private beginEpisode(assessment: AssessmentInSeries): void {
    const closure = closureBefore(this.closures, assessment.capturedAt);
    const joint = relationAt(this.relations, assessment.capturedAt, closure);
    if (closure === this.closure && joint === this.joint) return;
    this.own = this.areas.comparedWith(null);
    this.closure = closure;
    this.joint = joint;
    this.areas = new EpisodeAreas(joint === null ? [] : areasBefore(joint, this.own));
    this.reset = null;
    this.isRelationTold = false;
    this.relation = joint && { ...NOT_SUMMED, kind: joint.kind, at: joint.at.toISOString(), wounds: refsOf(joint) };
  }

  /** On the first area since then, and no other: what it is against all that it was, or all that it is now against what it was. */
  private tellRelation(assessment: AssessmentInSeries, { previous, sincePrevious }: Partial<SeriesComparison>): void {
    const [joint, relation] = [this.joint, this.relation];
    if (joint === null || relation === null || this.isRelationTold) return;
    this.isRelationTold = true;
    if (joint.kind === 'split') this.relation = { ...relation, ...acrossSplit(joint, this.own, assessment) };
    else if (previous?.sumOf !== undefined && sincePrevious !== undefined)
      this.relation = {
        ...relation,
        ...drawnOf(areasBefore(joint, this.own)),
        change: sincePrevious,
        sumOf: previous.sumOf,
        areaCm2: areaOf(assessment.findings).value,
        beforeReportId: previous.reportId,
      };
  }

  /** The treatment by which this area is a new baseline; null: it is none. */
  private beginSegment(assessment: AssessmentInSeries): ResettingEvent | null {
    const { last } = this.areas;
    const event = resetBefore(this.events, last, this.closure, assessment);
    if (event === null) return null;
    this.reset = {
      type: event.type,
      occurredAt: event.occurredAt.toISOString(),
      baselineReportId: assessment.reportId,
      change: last === null ? null : acrossTreatment(last, assessment),
      beforeReportId: last?.reportId ?? null,
    };
    return event.type;
  }

  private compare(measured: AssessmentInSeries, treatment: ResettingEvent | null): Partial<SeriesComparison> {
    const areas = this.areas.comparedWith(treatment);
    const assessment = asLeftBy(measured, treatment);
    const [baseline, last] = [areas[0], areas.at(-1)];
    if (baseline === undefined || last === undefined) return this.sinceBefore(measured);
    const comparable = areas.filter((earlier) => isComparable(earlier, assessment));
    const previous = comparable.at(-1) ?? last;
    const visitsBefore = comparable.filter((earlier) => isOtherVisit({ days: daysBetween(earlier, assessment) }));
    const smallest = smallestOf(visitsBefore) ?? smallestOf(comparable);
    const sincePrevious = changeBetween(previous, assessment);
    // A turn is looked for in more than the weeks of the slope: one photo of before it would else draw the slope down, and not be seen as such.
    const segment = sinceLastTurn([...comparable.slice(-MOST_FOR_TURN), assessment]);
    const lately = segment.filter((one) => daysBetween(one, assessment) <= LONGEST_SLOPE_DAYS);
    const slope = slopeOf(lately, growthLimitsFor(treatment).slope);
    const hasRegrown = visitsBefore.length > 0 && isRareGrowth(smallest!, assessment, visitsBefore.length);
    return {
      previous: pointOf(previous),
      baseline: pointOf(baseline),
      smallest: smallest === null ? null : pointOf(smallest),
      sincePrevious,
      sinceBaseline: changeBetween(baseline, assessment),
      sinceSmallest: smallest === null ? null : changeBetween(smallest, assessment),
      slope,
      ...trendOf(sincePrevious, slope, hasRegrown),
    };
  }

  /** For the first area after a treatment: what it was before, without a word of better or worse. */
  private sinceBefore(assessment: AssessmentInSeries): Partial<SeriesComparison> {
    const { last } = this.areas;
    return last === null ? {} : { previous: pointOf(last), sincePrevious: acrossTreatment(last, assessment) };
  }

  /** For an assessment without an area: the last measured ones, so that a reader knows where the wound stood. */
  private lastPoints(): Partial<SeriesComparison> {
    const { last } = this.areas;
    const [baseline] = this.areas.comparedWith(null);
    if (baseline === undefined || last === null) return {};
    return { previous: pointOf(last), baseline: pointOf(baseline) };
  }
}

/**
 * Never smaller where the area was not even smaller than the time before, and larger where it grew since its smallest by more than a wound
 * shows that stands still, whatever the weeks before did.
 */
function trendOf(
  change: AreaChange,
  slope: AreaSlope | null,
  hasRegrown: boolean,
): Pick<SeriesComparison, 'trend' | 'trendBasis'> {
  if (change.warnings.length > 0) return { trend: null, trendBasis: null };
  const isPairFar = change.beyondDetectable && isOtherVisit(change);
  const isSmaller = change.areaPct < 0 && (slope === null ? isPairFar : slope.pctPerWeek.upper < 0);
  const isLarger = change.areaPct > 0 && isPairFar;
  if (slope?.isGrowth === true) return { trend: 'larger', trendBasis: 'slope' };
  if (hasRegrown || (slope === null && isLarger)) return { trend: 'larger', trendBasis: 'pair' };
  return { trend: isSmaller ? 'smaller' : 'within_detectable_change', trendBasis: slope === null ? 'pair' : 'slope' };
}
