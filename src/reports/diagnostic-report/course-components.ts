import type { CodeableConcept, ObservationComponent } from '@medplum/fhirtypes';
import type { Estimate } from '../../core/followup/area-slope.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import { flagText } from '../documents/flag-section.js';
import type { Code, Unit } from '../terminology/codes.js';
import { CLOSURE, COURSE, FLAG, TREND_BASIS } from '../terminology/follow-up-codes.js';
import { component } from './guide-observations.js';
import { only, penFor, type Rendered } from './rendering-context.js';

/** The course over several assessments, as components of the progress. */
export function courseComponents({ sinceSmallest, slope, trendBasis }: SeriesComparison): ObservationComponent[] {
  return [
    ...(sinceSmallest === null ? [] : [component(COURSE.sinceSmallest, sinceSmallest.areaPct, 'percent')]),
    ...(trendBasis === null
      ? []
      : [{ code: only(COURSE.trendBasis), valueCodeableConcept: only(TREND_BASIS[trendBasis]) }]),
    ...(slope === null
      ? []
      : [
          ...estimate(slope.pctPerWeek, [COURSE.slope, COURSE.slopeLower, COURSE.slopeUpper], 'percentPerWeek'),
          component(COURSE.slopeDays, slope.days, 'days'),
          { code: only(COURSE.slopeAssessments), valueInteger: slope.assessments },
        ]),
    ...(slope === null || slope.marginAdvanceMmPerDay === null
      ? []
      : estimate(slope.marginAdvanceMmPerDay, [COURSE.margin, COURSE.marginLower, COURSE.marginUpper], 'mmPerDay')),
  ];
}

/** The flags with their figures in words, and what people decided of the wound. */
export function flagConclusions({ reading, context }: Rendered): CodeableConcept[] {
  const { flags, comparison } = reading.report.content;
  const pen = penFor(context);
  const { closure } = comparison;
  return [
    ...flags.map((flag) => ({
      ...only(FLAG[flag.code]),
      text: flagText(pen, flag, comparison).replaceAll('\u00a0', ' '),
    })),
    ...(closure === null ? [] : [only(closure.reopenedAt === null ? CLOSURE.closed : CLOSURE.reopened)]),
  ];
}

function estimate(
  { value, lower, upper }: Estimate,
  [code, lowerCode, upperCode]: readonly [Code, Code, Code],
  unit: Unit,
): ObservationComponent[] {
  return [component(code, value, unit), component(lowerCode, lower, unit), component(upperCode, upper, unit)];
}
