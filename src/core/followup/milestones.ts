import type { CodedConcept } from '../analysis/analysis-job.js';
import type { AreaChange } from './area-change.js';
import type { SeriesComparison } from './series.js';
import { woundKindOf, type KindWithEvidence, type WoundKind } from './wound-kinds.js';

/** Published figures that a flag rests on; docs/follow-up.md states them. */
export const EVIDENCE = [
  'sheehan-2003',
  'coerper-2009',
  'warriner-2011',
  'kantor-2000',
  'phillips-2000',
  'cardinal-2008',
] as const;
export type Evidence = (typeof EVIDENCE)[number];

interface Milestone {
  readonly code:
    | 'area_reduction_below_50_at_4_weeks'
    | 'area_reduction_below_90_at_8_weeks'
    | 'area_reduction_below_40_at_4_weeks';
  readonly days: number;
  readonly goalPct: number;
  readonly evidence: readonly Evidence[];
  readonly evidenceFor: KindWithEvidence;
}

/** A visit early in the morning of the day counts for it. */
const TOLERANCE_DAYS = 0.5;
/** Before this day no milestone of any kind of wound is looked at. */
export const FIRST_MILESTONE_DAYS = 28 - TOLERANCE_DAYS;
const FOUR_WEEKS: Milestone = {
  code: 'area_reduction_below_50_at_4_weeks',
  days: FIRST_MILESTONE_DAYS,
  goalPct: 50,
  evidence: ['sheehan-2003', 'coerper-2009'],
  evidenceFor: 'diabetic_foot_ulcer',
};
const EIGHT_WEEKS: Milestone = {
  code: 'area_reduction_below_90_at_8_weeks',
  days: 56 - TOLERANCE_DAYS,
  goalPct: 90,
  evidence: ['warriner-2011'],
  evidenceFor: 'diabetic_foot_ulcer',
};
/** Phillips' threshold was of the third week: what has not come so far by the fourth had not by the third. */
const VENOUS_FOUR_WEEKS: Milestone = {
  code: 'area_reduction_below_40_at_4_weeks',
  days: FIRST_MILESTONE_DAYS,
  goalPct: 40,
  evidence: ['phillips-2000', 'kantor-2000', 'cardinal-2008'],
  evidenceFor: 'venous_leg_ulcer',
};
const MILESTONES = [FOUR_WEEKS, EIGHT_WEEKS, VENOUS_FOUR_WEEKS];

/** The kind of wound whose milestones are looked at; null: there are none for it. */
export function milestonesFor(kind: WoundKind): KindWithEvidence | null {
  if (kind === 'neuropathic_ulcer') return 'diabetic_foot_ulcer';
  return kind === 'other' || kind === 'unstated' ? null : kind;
}

/**
 * The milestones of one episode. Each is looked at by the first assessment at or after its day; a goal that was missed stays missed until an
 * assessment reaches it. Warriner's ulcers had all halved at four weeks, so the second applies only where the first was met, at its own time.
 */
export class MilestoneWatch {
  private readonly reached = new Map<Milestone, boolean>();
  private halvedInTime = false;

  /** The milestones, of any kind of wound, that this assessment or an earlier one missed and that none has reached since. */
  missed({ sinceBaseline: change, noTrendReason }: SeriesComparison): Milestone[] {
    if (change === null || noTrendReason !== null) return [];
    const isFirstLook = !this.reached.has(FOUR_WEEKS);
    this.look(VENOUS_FOUR_WEEKS, change);
    this.look(FOUR_WEEKS, change);
    if (isFirstLook && this.reached.get(FOUR_WEEKS) === true) this.halvedInTime = change.days < EIGHT_WEEKS.days;
    if (this.halvedInTime) this.look(EIGHT_WEEKS, change);
    return MILESTONES.filter((milestone) => this.reached.get(milestone) === false);
  }

  private look(milestone: Milestone, { days, areaPct }: AreaChange): void {
    if (days < milestone.days || this.reached.get(milestone) === true) return;
    this.reached.set(milestone, -areaPct >= milestone.goalPct);
  }
}

/** undefined: the kind of wound is unknown. */
export function isDiabeticFootUlcer(woundType: CodedConcept | null): boolean | undefined {
  const kind = woundKindOf(woundType);
  return kind === 'unstated' || kind === 'neuropathic_ulcer' ? undefined : kind === 'diabetic_foot_ulcer';
}
