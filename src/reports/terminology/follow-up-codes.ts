import { FLAG_CODES, type FlagCode } from '../../core/followup/flags.js';
import type { TrendBasis } from '../../core/followup/series.js';
import { local, type Code } from './codes.js';

const FLAG_WORDS: Readonly<Record<FlagCode, string>> = {
  area_reduction_below_50_at_4_weeks: 'Area reduction below 50 % at 4 weeks',
  area_reduction_below_90_at_8_weeks: 'Area reduction below 90 % at 8 weeks',
  area_growth: 'Area growth since the previous comparable assessment',
  area_growth_since_baseline: 'Area growth since the first assessment',
  area_growth_since_smallest: 'Area growth since the smallest area',
  area_growth_by_slope: 'Area growth over several assessments',
  stalled_14_days: 'No detectable reduction of area over 14 days',
  stalled_28_days: 'No detectable reduction of area over 28 days',
  necrosis_rising: 'Rising share of necrosis',
  reopened: 'Wound outlined after a person closed it',
  infection_signs_recorded: 'Signs of infection recorded by a clinician',
};

/** Each flag, as a conclusion of a report and as a value of a row. */
export const FLAG = Object.fromEntries(
  FLAG_CODES.map((flag) => [flag, local(`flag-${flag.replaceAll('_', '-')}`, FLAG_WORDS[flag])]),
) as Readonly<Record<FlagCode, Code>>;

/** What people decided of the wound before the photo was taken. */
export const CLOSURE = {
  closed: local('wound-closed', 'Wound had been closed by a person before the photo'),
  reopened: local('wound-reopened', 'Wound had been closed by a person and opened again'),
} as const;

export const TREND_BASIS: Readonly<Record<TrendBasis, Code>> = {
  slope: local('trend-by-slope', 'Trend over at least three assessments'),
  pair: local('trend-by-pair', 'Trend against the previous comparable assessment'),
};

/** The course of the area over several assessments; each end of an interval has a code of its own. */
export const COURSE = {
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
