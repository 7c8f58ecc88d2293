import type { CodedConcept } from '../analysis/analysis-job.js';
import type { AreaChange } from './area-change.js';
import type { SeriesComparison } from './series.js';

/** Published figures that a flag rests on; docs/follow-up.md states them. */
export const EVIDENCE = ['sheehan-2003', 'coerper-2009', 'warriner-2011'] as const;
export type Evidence = (typeof EVIDENCE)[number];

interface Milestone {
  readonly code: 'area_reduction_below_50_at_4_weeks' | 'area_reduction_below_90_at_8_weeks';
  readonly days: number;
  readonly goalPct: number;
  readonly evidence: readonly Evidence[];
}

/** A visit early in the morning of the day counts for it. */
const TOLERANCE_DAYS = 0.5;
const FOUR_WEEKS: Milestone = {
  code: 'area_reduction_below_50_at_4_weeks',
  days: 28 - TOLERANCE_DAYS,
  goalPct: 50,
  evidence: ['sheehan-2003', 'coerper-2009'],
};
const EIGHT_WEEKS: Milestone = {
  code: 'area_reduction_below_90_at_8_weeks',
  days: 56 - TOLERANCE_DAYS,
  goalPct: 90,
  evidence: ['warriner-2011'],
};

/**
 * The milestones of one episode. Each is looked at by the first assessment at or after its day; a goal that was missed stays missed until an
 * assessment reaches it. Warriner's ulcers had all halved at four weeks, so the second applies only where the first was met, at its own time.
 */
export class MilestoneWatch {
  private readonly reached = new Map<Milestone, boolean>();
  private halvedInTime = false;

  /** The milestones that this assessment, or an earlier one, missed and that none has reached since. */
  missed({ sinceBaseline: change, noTrendReason }: SeriesComparison): Milestone[] {
    if (change === null || noTrendReason !== null) return [];
    const isFirstLook = !this.reached.has(FOUR_WEEKS);
    this.look(FOUR_WEEKS, change);
    if (isFirstLook && this.reached.get(FOUR_WEEKS) === true) this.halvedInTime = change.days < EIGHT_WEEKS.days;
    if (this.halvedInTime) this.look(EIGHT_WEEKS, change);
    return [FOUR_WEEKS, EIGHT_WEEKS].filter((milestone) => this.reached.get(milestone) === false);
  }

  private look(milestone: Milestone, { days, areaPct }: AreaChange): void {
    if (days < milestone.days || this.reached.get(milestone) === true) return;
    this.reached.set(milestone, -areaPct >= milestone.goalPct);
  }
}

const SNOMED = 'http://snomed.info/sct';
const DIABETIC_FOOT_ULCER = '280137006';
/** Says neither that the patient is diabetic nor that the ulcer is on the foot, yet is what HL7's wound type value set has for it. */
const NEUROPATHIC_ULCER = '403601003';
/** ICD-10-CM: diabetes mellitus of any kind with foot ulcer. */
const DIABETIC_FOOT_ICD = /^E(08|09|10|11|13)\.?621$/;

/** undefined: the kind of wound is unknown. */
export function isDiabeticFootUlcer(woundType: CodedConcept | null): boolean | undefined {
  const { system, code } = woundType ?? {};
  if (code === undefined) return undefined;
  if (DIABETIC_FOOT_ICD.test(code)) return true;
  if (system !== undefined && system !== SNOMED) return undefined;
  return code === NEUROPATHIC_ULCER ? undefined : code === DIABETIC_FOOT_ULCER;
}
