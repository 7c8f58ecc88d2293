/** Things worth a clinician's look. They state what was measured and never what will come. */
export const FLAG_CODES = [
  'area_reduction_below_50_at_4_weeks',
  'area_reduction_below_90_at_8_weeks',
  'area_reduction_below_40_at_4_weeks',
  'area_growth',
  'area_growth_since_baseline',
  'area_growth_since_smallest',
  'area_growth_by_slope',
  'stalled_14_days',
  'stalled_28_days',
  'necrosis_rising',
  'reopened',
  'infection_signs_recorded',
  'size_mismatch',
] as const;
export type FlagCode = (typeof FLAG_CODES)[number];
