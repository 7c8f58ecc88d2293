import type { Bounds } from '../measurement/wound-result.js';
import { isComparable, isOtherVisit, logAreaSd, logGrowth, type AreaChange } from './area-change.js';
import { asLeftBy, EpisodeAreas } from './area-reset.js';
import { courseOf } from './area-slope.js';
import { sinceLastTurn } from './turn.js';
import type { FlagCode } from './flag-codes.js';
import { MilestoneWatch, milestonesFor, type Evidence } from './milestones.js';
import { daysBetween, inOrderOfCapture, type AssessmentInSeries } from './series-order.js';
import { infectionWordsOf } from './infection-signs.js';
import { areasBefore, type SeriesRelation } from './related-areas.js';
import type { SeriesComparison } from './series.js';
import { growthLimitsFor, type AreaLimits } from './growth-limits.js';
import { isRareGrowth } from './rare-growth.js';
import { sizeMismatch } from './size-mismatch.js';
import { stallAt } from './stall.js';
import { woundKindOf, type KindWithEvidence, type WoundKind } from './wound-kinds.js';

/** The earlier assessment, or the slope, that a flag compares with. */
export type FlagComparison = 'previous' | 'baseline' | 'smallest' | 'earlier' | 'slope';

export interface FollowUpFlag {
  readonly code: FlagCode;
  /**
   * The measured change: of an area in %, by slope in % a week, of a share in percentage points. `reopened`: days since a person closed the
   * wound; `infection_signs_recorded`: their number; `size_mismatch`: the factor between the bedside ruler and the photo.
   */
  readonly value: number;
  /** Holds the true value in nine of ten cases; null where nothing was measured twice. Absent in older reports, like the next three. */
  readonly interval?: Bounds | null;
  /** Between the two assessments that are compared; of a slope, from its first. */
  readonly days: number;
  readonly comparedWith?: FlagComparison | null;
  readonly comparedWithReportId?: string | null;
  /** As a clinician recorded them. */
  readonly words?: readonly string[];
  /** Empty where the flag is a plain comparison of two measurements. */
  readonly evidence: readonly Evidence[];
  /** The kind of wound that the evidence is about; null: any. */
  readonly evidenceFor: KindWithEvidence | null;
  /** False: the kind that was stated may be another one, so whether the evidence holds here is for the reader to judge. */
  readonly woundTypeKnown: boolean;
}

/** Below this a share may change by the angle of the light. */
const NECROSIS_RISE_POINTS = 5;
/**
 * Once three assessments are compared at every visit in several ways, three standard deviations keep false alarms rare: all growth flags
 * together cry wolf at fewer than five of a hundred visits of a stable wound (docs/follow-up.md, "How often they are wrong").
 */
const RARE = 3;
const MOST_ON_LINE = 26;

/** The flags of every assessment of one wound. `comparisons`: of `compareSeries`. */
export function flagSeries(
  assessments: readonly AssessmentInSeries[],
  comparisons: ReadonlyMap<string, SeriesComparison>,
  relations: readonly SeriesRelation[] = [],
): Map<string, FollowUpFlag[]> {
  const walk = new FlagWalk(relations);
  const flags = new Map<string, FollowUpFlag[]>();
  for (const assessment of inOrderOfCapture(assessments)) {
    const comparison = comparisons.get(assessment.reportId)!;
    flags.set(assessment.reportId, comparison.supersededBy === null ? walk.next(assessment, comparison) : []);
  }
  return flags;
}

/** Goes from assessment to assessment and remembers which milestones an episode of the wound has missed. */
class FlagWalk {
  /** By the baseline that they count from. */
  private readonly milestones = new Map<string, MilestoneWatch>();
  private closedAt: string | null = null;
  private relatedAt: string | null = null;
  /** As the last photo that states it has it: one of two wounds that were joined may say nothing. */
  private kind: WoundKind = 'unstated';
  private isReopeningFlagged = true;
  /** Those of the present episode. */
  private areas = new EpisodeAreas();
  private readonly byId = new Map<string, AssessmentInSeries>();

  constructor(private readonly relations: readonly SeriesRelation[]) {}

  next(assessment: AssessmentInSeries, comparison: SeriesComparison): FollowUpFlag[] {
    this.beginEpisode(comparison);
    this.byId.set(assessment.reportId, assessment);
    const { reset } = comparison;
    const treatment = reset?.baselineReportId === assessment.reportId ? reset.type : null;
    const areas = this.areas.comparedWith(treatment);
    const find = (reportId: string) => asLeftBy(this.byId.get(reportId)!, treatment);
    const growth = growthFlags(comparison, find, asLeftBy(assessment, treatment), areas, growthLimitsFor(treatment));
    const flags = [
      ...this.milestoneFlags(assessment, comparison),
      ...growth,
      ...(growth.length > 0 ? [] : stallFlag(areas, asLeftBy(assessment, treatment), comparison)),
      ...necrosisFlag(comparison, assessment, this.byId),
      ...this.reopenedFlag(assessment, comparison),
      ...infectionFlag(assessment),
      ...sizeFlag(assessment),
    ];
    if (comparison.noTrendReason === null) this.areas.add(assessment, treatment);
    return flags;
  }

  private beginEpisode({ closure, relation }: SeriesComparison): void {
    const [closedAt, relatedAt] = [closure?.closedAt ?? null, relation?.at ?? null];
    if (closedAt === this.closedAt && relatedAt === this.relatedAt) return;
    if (closedAt !== this.closedAt) this.isReopeningFlagged = false;
    const joint = this.relations.findLast(({ at }) => at.toISOString() === relatedAt);
    const sums = joint === undefined ? [] : areasBefore(joint, this.areas.comparedWith(null));
    [this.closedAt, this.relatedAt] = [closedAt, relatedAt];
    this.areas = new EpisodeAreas(sums);
    // A sum has the ids of its newest area, and stands for that from now on.
    for (const sum of sums) this.byId.set(sum.reportId, sum);
  }

  private milestoneFlags(assessment: AssessmentInSeries, comparison: SeriesComparison): FollowUpFlag[] {
    const missed = this.watchOf(comparison).missed(comparison);
    const own = woundKindOf(assessment.woundType);
    if (own !== 'unstated') this.kind = own;
    const { kind } = this;
    const { sinceBaseline: change, baseline } = comparison;
    // The patients of these studies were adults.
    if (change === null || comparison.ageGroup !== undefined) return [];
    return missed
      .filter(({ evidenceFor }) => evidenceFor === milestonesFor(kind))
      .map(({ code, evidence, evidenceFor }) => ({
        ...plainFlag(code, change, 'baseline', baseline?.reportId ?? null),
        evidence,
        evidenceFor,
        woundTypeKnown: evidenceFor === kind,
      }));
  }

  /** Each counts from its own baseline: the first of the episode, or the first after a treatment, as trials do. */
  private watchOf({ baseline }: SeriesComparison): MilestoneWatch {
    const from = baseline === null ? '' : `${baseline.reportId}${baseline.sumOf === undefined ? '' : ' and others'}`;
    const watch = this.milestones.get(from) ?? new MilestoneWatch();
    this.milestones.set(from, watch);
    return watch;
  }

  /** Told once: the reports after it say that the wound was closed, and when. */
  private reopenedFlag({ capturedAt, findings }: AssessmentInSeries, { closure }: SeriesComparison): FollowUpFlag[] {
    if (closure === null || this.isReopeningFlagged || !findings.woundDetected) return [];
    this.isReopeningFlagged = true;
    const days = Math.round(daysBetween({ capturedAt: new Date(closure.closedAt) }, { capturedAt }));
    return [{ ...RECORDED, code: 'reopened', value: days, days }];
  }
}

const PLAIN = { evidence: [], evidenceFor: null, woundTypeKnown: true, words: [] } as const;
const RECORDED = { ...PLAIN, interval: null, comparedWith: null, comparedWithReportId: null, days: 0 } as const;

function plainFlag(
  code: FlagCode,
  { areaPct, areaPctInterval, days }: AreaChange,
  comparedWith: FlagComparison,
  comparedWithReportId: string | null,
): FollowUpFlag {
  return {
    ...PLAIN,
    code,
    value: areaPct,
    interval: areaPctInterval ?? null,
    days,
    comparedWith,
    comparedWithReportId,
  };
}

/** Each comparison once: where the previous assessment is also the first, or the smallest, it is the previous one. */
function growthFlags(
  comparison: SeriesComparison,
  find: (reportId: string) => AssessmentInSeries,
  assessment: AssessmentInSeries,
  areas: readonly AssessmentInSeries[],
  limits: AreaLimits,
): FollowUpFlag[] {
  const { previous, baseline, smallest, sincePrevious, sinceBaseline, sinceSmallest, slope } = comparison;
  const flags: FollowUpFlag[] = [];
  if (
    previous !== null &&
    sincePrevious !== null &&
    isGrowth(sincePrevious) &&
    isBeyond(limits.pair, find(previous.reportId), assessment)
  )
    flags.push(plainFlag('area_growth', sincePrevious, 'previous', previous.reportId));
  if (baseline !== null && sinceBaseline !== null && baseline.reportId !== previous?.reportId)
    if (
      isGrowth(sinceBaseline) &&
      (isBeyond(RARE, find(baseline.reportId), assessment) || isGrowingAllAlong(areas, assessment, limits.line))
    )
      flags.push(plainFlag('area_growth_since_baseline', sinceBaseline, 'baseline', baseline.reportId));
  const isOther = smallest?.reportId !== previous?.reportId && smallest?.reportId !== baseline?.reportId;
  if (smallest !== null && sinceSmallest !== null && isOther)
    if (
      isGrowth(sinceSmallest) &&
      isOtherVisit(sinceSmallest) &&
      isRareGrowth(find(smallest.reportId), assessment, areas.length)
    )
      flags.push(plainFlag('area_growth_since_smallest', sinceSmallest, 'smallest', smallest.reportId));
  if (slope?.isGrowth === true && sincePrevious?.warnings.length === 0)
    flags.push({
      ...RECORDED,
      code: 'area_growth_by_slope',
      value: slope.pctPerWeek.value,
      interval: { lower: slope.pctPerWeek.lower, upper: slope.pctPerWeek.upper },
      days: slope.days,
      comparedWith: 'slope',
    });
  return flags;
}

function isGrowth(change: AreaChange): boolean {
  return change.warnings.length === 0 && change.areaPct > 0 && isOtherVisit(change);
}

/** A line through the comparable areas of half a year of weekly visits, since the last turn: growth that eight weeks are too short to show. */
function isGrowingAllAlong(
  areas: readonly AssessmentInSeries[],
  assessment: AssessmentInSeries,
  limit: number,
): boolean {
  const lately = areas.slice(-MOST_ON_LINE);
  const comparable = lately.filter((earlier) => isComparable(earlier, assessment));
  const course = courseOf(sinceLastTurn([...comparable, assessment]));
  return course !== null && course.slope > limit * course.sd;
}

function isBeyond(deviations: number, from: AssessmentInSeries, to: AssessmentInSeries): boolean {
  return (
    logGrowth(from.findings, to.findings) > deviations * Math.hypot(logAreaSd(from.findings), logAreaSd(to.findings))
  );
}

function stallFlag(
  areas: readonly AssessmentInSeries[],
  assessment: AssessmentInSeries,
  { noTrendReason }: SeriesComparison,
): FollowUpFlag[] {
  const stall = noTrendReason === null ? stallAt(areas, assessment) : null;
  return stall === null ? [] : [plainFlag(`stalled_${stall.days}_days`, stall.change, 'earlier', stall.since.reportId)];
}

function necrosisFlag(
  { previous, sincePrevious }: SeriesComparison,
  { findings: now }: AssessmentInSeries,
  byId: ReadonlyMap<string, AssessmentInSeries>,
): FollowUpFlag[] {
  const before = previous === null ? null : (byId.get(previous.reportId)?.findings ?? null);
  const confirmed =
    before !== null && [now, before].every(({ confirmedTissues }) => confirmedTissues.includes('necrosis'));
  if (!confirmed || previous === null || sincePrevious === null || now.tissue === null || before.tissue === null)
    return [];
  const points = Math.round((now.tissue.necrosis - before.tissue.necrosis) * 1000) / 10;
  if (points < NECROSIS_RISE_POINTS) return [];
  return [
    {
      ...RECORDED,
      code: 'necrosis_rising',
      value: points,
      days: sincePrevious.days,
      comparedWith: 'previous',
      comparedWithReportId: previous.reportId,
    },
  ];
}

/** Until a person has looked at it. */
function sizeFlag({ findings, observations, reviewed }: AssessmentInSeries): FollowUpFlag[] {
  const factor = reviewed ? null : sizeMismatch(findings, observations);
  return factor === null ? [] : [{ ...RECORDED, code: 'size_mismatch', value: factor }];
}

function infectionFlag({ observations }: AssessmentInSeries): FollowUpFlag[] {
  const words = infectionWordsOf(observations);
  return words.length === 0 ? [] : [{ ...RECORDED, code: 'infection_signs_recorded', value: words.length, words }];
}
