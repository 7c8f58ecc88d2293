import type { ClinicalReport, FlagCode } from '../follow-up.js';

/** What a flag says, in words; a code that a later service adds stands alone. */
const FLAG_WORDS: Readonly<Record<FlagCode, string>> = {
  area_reduction_below_50_at_4_weeks: 'less than 50 % smaller after four weeks',
  area_reduction_below_90_at_8_weeks: 'less than 90 % smaller after eight weeks',
  area_reduction_below_40_at_4_weeks: 'less than 40 % smaller after four weeks',
  area_growth: 'the area has grown since the photo before',
  area_growth_since_baseline: 'the area has grown since the first photo',
  area_growth_since_smallest: 'the area has grown since it was smallest',
  area_growth_by_slope: 'the area has grown over the last weeks',
  stalled_14_days: 'not smaller for two weeks or more',
  stalled_28_days: 'not smaller for four weeks or more',
  necrosis_rising: 'more necrosis than before, as clinicians stated it',
  reopened: 'seen again after a clinician had closed it',
  infection_signs_recorded: 'a clinician recorded signs of infection',
  size_mismatch: 'the size by the ruler and that of the photo differ: check scale, outline, and whose wound it is',
};

/** The verdict, where there is one, and each point of a report that a person should look at, a line each. */
export function pointsOf({ comparison, flags }: Pick<ClinicalReport, 'comparison' | 'flags'>): string[] {
  const { course, unconfirmedNecrosis: necrosis } = comparison;
  const worse = (course?.because ?? []).filter(({ direction }) => direction === 'worse').map(({ what }) => what);
  return [
    ...(course === undefined
      ? []
      : [`verdict ${course.verdict}${worse.length === 0 ? '' : `, worse: ${worse.join(', ')}`}`]),
    ...flags.map(({ code }) => `look at it: ${wordsOf(code)}`),
    ...(necrosis === undefined ? [] : [necrosisOf(necrosis)]),
  ];
}

function wordsOf(code: string): string {
  return isKnown(code) ? FLAG_WORDS[code] : code;
}

function isKnown(code: string): code is FlagCode {
  return Object.hasOwn(FLAG_WORDS, code);
}

function necrosisOf({ fromPct, toPct }: NonNullable<ClinicalReport['comparison']['unconfirmedNecrosis']>): string {
  const since = fromPct === null ? '' : ` (${fromPct} % before)`;
  return `look at it: the software sees ${toPct} % of the wound bed as necrosis${since}, which no clinician has confirmed`;
}
