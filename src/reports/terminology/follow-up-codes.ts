import type { ResettingEvent } from '../../core/followup/clinical-event.js';
import { FLAG_CODES, type FlagCode } from '../../core/followup/flag-codes.js';
import type { RelationKind } from '../../core/followup/wound-relation.js';
import { VERDICTS, type Verdict } from '../../core/followup/course.js';
import type { SeriesComparison, Trend, TrendBasis } from '../../core/followup/series.js';
import { code, local, snomed, type Code } from './codes.js';

const FLAG_WORDS: Readonly<Record<FlagCode, string>> = {
  area_reduction_below_50_at_4_weeks: 'Area reduction below 50 % at 4 weeks',
  area_reduction_below_90_at_8_weeks: 'Area reduction below 90 % at 8 weeks',
  area_reduction_below_40_at_4_weeks: 'Area reduction below 40 % at 4 weeks',
  area_growth: 'Area growth since the previous comparable assessment',
  area_growth_since_baseline: 'Area growth since the first assessment',
  area_growth_since_smallest: 'Area growth since the smallest area',
  area_growth_by_slope: 'Area growth over several assessments',
  stalled_14_days: 'No detectable reduction of area over 14 days',
  stalled_28_days: 'No detectable reduction of area over 28 days',
  necrosis_rising: 'Rising share of necrosis',
  reopened: 'Wound outlined after a person closed it',
  infection_signs_recorded: 'Signs of infection recorded by a clinician',
  size_mismatch: 'Size by the bedside ruler contradicts the photo',
};

/** Each flag, as a conclusion of a report and as a value of a row. */
export const FLAG = Object.fromEntries(
  FLAG_CODES.map((flag) => [flag, local(`flag-${flag.replaceAll('_', '-')}`, FLAG_WORDS[flag])]),
) as Readonly<Record<FlagCode, Code>>;

/** What the software alone sees, of which no verdict follows: told beside the flags, for a person to look at. */
export const LOOK = {
  necrosis: local('look-unconfirmed-necrosis', 'Much necrosis that the software sees and no clinician has confirmed'),
} as const;

/** v3 ObservationInterpretation as R4 has it; table 0078 of HL7 v2 has the first two alone. */
const INTERPRETATION = code('http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation');
const BETTER = INTERPRETATION('B', 'Better');
const WORSE = INTERPRETATION('W', 'Worse');
const INDETERMINATE = INTERPRETATION('IND', 'Indeterminate');
const IMPROVEMENT = snomed('390771008', 'Improvement of status');
const DETERIORATION = snomed('390772001', 'Deterioration of status');

/** The codes of a verdict at every exit; null: that exit has none for it. "U" is "significant change up", and no code of unchanged. */
export interface VerdictCodes {
  readonly own: Code;
  /** FHIR Observation.interpretation. */
  readonly interpretation: Code | null;
  /** OBX-8; "" where it is empty. */
  readonly abnormalFlag: 'B' | 'W' | '';
  /** FHIR DiagnosticReport.conclusionCode. */
  readonly conclusion: Code | null;
}

const GOOD = { interpretation: BETTER, abnormalFlag: 'B', conclusion: IMPROVEMENT } as const;
const BAD = { interpretation: WORSE, abnormalFlag: 'W', conclusion: DETERIORATION } as const;
const NEITHER = { interpretation: null, abnormalFlag: '', conclusion: null } as const;

/** One table for all exits, so that none is kinder than another. */
export const VERDICT: Readonly<Record<Verdict, VerdictCodes>> = {
  improving: { own: local('course-improving', 'The wound is improving'), ...GOOD },
  unchanged: { own: local('course-unchanged', 'No clear change of the wound'), ...NEITHER },
  worsening: { own: local('course-worsening', 'The wound is worsening'), ...BAD },
  mixed: { own: local('course-mixed', 'Some findings of the wound are worse, others better'), ...BAD },
  closed: { own: local('course-closed', 'The wound was found healed and closed'), ...NEITHER },
  ended: { own: local('course-ended', 'The wound was closed for a reason other than healing'), ...NEITHER },
  reopened: { own: local('course-reopened', 'The wound is seen again after it had been closed'), ...BAD },
  unknown: {
    own: local('course-unknown', 'The course of the wound is not known'),
    ...NEITHER,
    interpretation: INDETERMINATE,
  },
};
export const VERDICT_CODES: readonly Code[] = VERDICTS.map((verdict) => VERDICT[verdict].own);

/** The verdict to tell; by rules that had none, growth of the area alone is told, and nothing better than that. */
export function verdictToTell({ course, trend }: Pick<SeriesComparison, 'course' | 'trend'>): Verdict | null {
  return course?.verdict ?? (trend === 'larger' ? 'worsening' : null);
}

/** The codes that a figure of change carries: those of the verdict, and never against its own sign. `change`: below 0 smaller. */
export function codesOfChange(
  comparison: Pick<SeriesComparison, 'course' | 'trend'>,
  change: number,
): Pick<VerdictCodes, 'interpretation' | 'abnormalFlag' | 'conclusion'> {
  const verdict = verdictToTell(comparison);
  const codes = verdict === null ? NEITHER : VERDICT[verdict];
  const agrees = (codes.abnormalFlag === 'B' && change < 0) || (codes.abnormalFlag === 'W' && change > 0);
  return agrees ? codes : NEITHER;
}

/** What the area alone says; no code of better or worse. */
export const TREND: Readonly<Record<Trend, Code>> = {
  smaller: local('trend-smaller', 'The area becomes smaller'),
  larger: local('trend-larger', 'The area becomes larger'),
  within_detectable_change: local('trend-within-detectable-change', 'No certain change of the area'),
};

/** What people decided of the wound before the photo was taken. */
export const CLOSURE = {
  closed: local('wound-closed', 'Wound had been closed by a person before the photo'),
  reopened: local('wound-reopened', 'Wound had been closed by a person and opened again'),
} as const;

/** The treatment since which the area counts anew. */
export const RESET: Readonly<Record<ResettingEvent, Code>> = {
  debridement: local('area-after-debridement', 'Area counted anew after debridement'),
  graft: local('area-after-graft', 'Area counted anew after a graft'),
  surgery: local('area-after-surgery', 'Area counted anew after surgery'),
};

/** What grew together or fell apart, since which the area counts anew. */
export const RELATION: Readonly<Record<RelationKind, Code>> = {
  joined: local('wounds-joined', 'Wounds have grown together, and are compared in sum'),
  split: local('wound-split', 'Wound has fallen into several, which are compared in sum'),
};

export const TREND_BASIS: Readonly<Record<TrendBasis, Code>> = {
  slope: local('trend-by-slope', 'Trend over at least three assessments'),
  pair: local('trend-by-pair', 'Trend against the previous comparable assessment'),
};

/** The course of the area over several assessments; each end of an interval has a code of its own. */
export const COURSE = {
  course: local('course', 'Course of the wound, from all that is known'),
  trend: local('area-trend', 'What the area alone says of the course'),
  sinceSmallest: local('area-change-since-smallest', 'Relative change of wound area since the smallest area so far'),
  trendBasis: local('trend-basis', 'What the trend rests on'),
  slope: local('area-slope', 'Change of wound area per week over several assessments'),
  slopeLower: local('area-slope-lower-bound', 'Change of wound area per week, lower bound'),
  slopeUpper: local('area-slope-upper-bound', 'Change of wound area per week, upper bound'),
  slopeDays: local('area-slope-days', 'Days from the first assessment of the slope'),
  slopeAssessments: local('area-slope-assessments', 'Assessments that the slope rests on'),
  margin: local('margin-advance', 'Advance of the wound margin per day over several assessments'),
  marginLower: local('margin-advance-lower-bound', 'Advance of the wound margin per day, lower bound'),
  marginUpper: local('margin-advance-upper-bound', 'Advance of the wound margin per day, upper bound'),
} as const;
