import type { CodedConcept } from '../analysis/analysis-job.js';
import type { SeriesFindings } from './assessment.js';
import type { AreaChange, SeriesComparison } from './series.js';

/** Things worth a clinician's look. They state what was measured and never what will come. */
export const FLAG_CODES = [
  'area_reduction_below_50_at_4_weeks',
  'area_reduction_below_90_at_8_weeks',
  'area_growth',
  'necrosis_rising',
] as const;
export type FlagCode = (typeof FLAG_CODES)[number];

/** Published figures that a flag rests on; docs/follow-up.md states them. */
export const EVIDENCE = ['sheehan-2003', 'coerper-2009', 'warriner-2011'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export interface FollowUpFlag {
  readonly code: FlagCode;
  /** The measured change: of an area in %, of a share in percentage points. */
  readonly value: number;
  /** Since the baseline for reductions, since the previous assessment for the others. */
  readonly days: number;
  /** Empty where the flag is a plain comparison of two measurements. */
  readonly evidence: readonly Evidence[];
  /** The kind of wound that the evidence is about; null: any. */
  readonly evidenceFor: 'diabetic_foot_ulcer' | null;
  /** False: the caller did not say what kind of wound it is, so whether the evidence holds here is for the reader to judge. */
  readonly woundTypeKnown: boolean;
}

const WEEK_DAYS = 7;
/** An assessment counts for four or eight weeks within half a week on either side. */
const WINDOW_DAYS = 3.5;
/** Below this a share may change by the angle of the light. */
const NECROSIS_RISE_POINTS = 5;

interface Milestone {
  readonly code: FlagCode;
  readonly weeks: number;
  readonly reductionPct: number;
  readonly evidence: readonly Evidence[];
}

const MILESTONES: readonly Milestone[] = [
  {
    code: 'area_reduction_below_50_at_4_weeks',
    weeks: 4,
    reductionPct: 50,
    evidence: ['sheehan-2003', 'coerper-2009'],
  },
  // Warriner's ulcers had all shrunk by half at four weeks; the reader is told so with the source.
  { code: 'area_reduction_below_90_at_8_weeks', weeks: 8, reductionPct: 90, evidence: ['warriner-2011'] },
];

const SNOMED = 'http://snomed.info/sct';
const DIABETIC_FOOT_ULCER = '280137006';
/** Says neither that the patient is diabetic nor that the ulcer is on the foot, yet is what HL7's wound type value set has for it. */
const NEUROPATHIC_ULCER = '403601003';
/** ICD-10-CM: diabetes mellitus of any kind with foot ulcer. */
const DIABETIC_FOOT_ICD = /^E(08|09|10|11|13)\.?621$/;

/** The flags that one assessment raises; `before` is the previous assessment's findings, null without one. */
export function flagsOf(
  comparison: SeriesComparison,
  findings: SeriesFindings,
  before: SeriesFindings | null,
  woundType: CodedConcept | null,
): FollowUpFlag[] {
  const covered = isDiabeticFootUlcer(woundType);
  return [
    ...(covered === false ? [] : milestoneFlags(comparison.sinceBaseline, covered === true)),
    ...growthFlag(comparison.sincePrevious),
    ...necrosisFlag(comparison, findings, before),
  ];
}

function milestoneFlags(change: AreaChange | null, woundTypeKnown: boolean): FollowUpFlag[] {
  if (change === null) return [];
  return MILESTONES.filter(
    ({ weeks, reductionPct }) =>
      Math.abs(change.days - weeks * WEEK_DAYS) <= WINDOW_DAYS && -change.areaPct < reductionPct,
  ).map(({ code, evidence }) => ({
    code,
    value: change.areaPct,
    days: change.days,
    evidence,
    evidenceFor: 'diabetic_foot_ulcer',
    woundTypeKnown,
  }));
}

function growthFlag(change: AreaChange | null): FollowUpFlag[] {
  if (change === null || change.warnings.length > 0 || !change.beyondDetectable || change.areaPct <= 0) return [];
  return [
    {
      code: 'area_growth',
      value: change.areaPct,
      days: change.days,
      evidence: [],
      evidenceFor: null,
      woundTypeKnown: true,
    },
  ];
}

function necrosisFlag(
  { sincePrevious }: SeriesComparison,
  now: SeriesFindings,
  before: SeriesFindings | null,
): FollowUpFlag[] {
  const confirmed =
    before !== null && [now, before].every(({ confirmedTissues }) => confirmedTissues.includes('necrosis'));
  if (!confirmed || sincePrevious === null || now.tissue === null || before.tissue === null) return [];
  const points = Math.round((now.tissue.necrosis - before.tissue.necrosis) * 1000) / 10;
  if (points < NECROSIS_RISE_POINTS) return [];
  return [
    {
      code: 'necrosis_rising',
      value: points,
      days: sincePrevious.days,
      evidence: [],
      evidenceFor: null,
      woundTypeKnown: true,
    },
  ];
}

/** undefined: nobody said what kind of wound it is. */
function isDiabeticFootUlcer(woundType: CodedConcept | null): boolean | undefined {
  const { system, code } = woundType ?? {};
  if (code === undefined) return undefined;
  if (DIABETIC_FOOT_ICD.test(code)) return true;
  if (system !== undefined && system !== SNOMED) return undefined;
  return code === NEUROPATHIC_ULCER ? undefined : code === DIABETIC_FOOT_ULCER;
}
