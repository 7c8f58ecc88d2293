import type { CodeableConcept, Observation, ObservationComponent } from '@medplum/fhirtypes';
import type { Estimate } from '../../core/followup/area-slope.js';
import type { SeriesComparison } from '../../core/followup/series.js';
import { flagText } from '../documents/flag-section.js';
import type { Code, Unit } from '../terminology/codes.js';
import {
  CLOSURE,
  COURSE,
  FLAG,
  LOOK,
  RELATION,
  RESET,
  TREND,
  TREND_BASIS,
  VERDICT,
  verdictToTell,
} from '../terminology/follow-up-codes.js';
import { courseText } from '../documents/course-section.js';
import { relationText, resetText } from '../documents/event-section.js';
import { necrosisTexts } from '../documents/necrosis-text.js';
import { component } from './guide-observations.js';
import { concept, only, penFor, type Rendered } from './rendering-context.js';

/** The course over several assessments, as components of the progress. */
export function courseComponents({
  sinceSmallest,
  slope,
  trend,
  trendBasis,
}: SeriesComparison): ObservationComponent[] {
  return [
    ...(trend === null ? [] : [{ code: only(COURSE.trend), valueCodeableConcept: only(TREND[trend]) }]),
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

/** Of a verdict that is better or worse; none of any other. */
export function verdictConclusion({ reading, context }: Rendered): CodeableConcept | undefined {
  const verdict = verdictToTell(reading.report.content.comparison);
  const codes = verdict === null ? null : VERDICT[verdict];
  return codes === null || codes.conclusion === null ? undefined : concept(context, [codes.conclusion, codes.own]);
}

/** The verdict on the panel, with its reasons in words. */
export function verdictOnPanel({ reading, context }: Rendered): Partial<Observation> {
  const { comparison } = reading.report.content;
  const { course } = comparison;
  if (course === undefined) return {};
  const { own, interpretation, conclusion } = VERDICT[course.verdict];
  const interpreted = [conclusion, interpretation].filter((code) => code !== null);
  const text = courseText(penFor(context), comparison).replaceAll('\u00a0', ' ');
  const coded = interpreted.length === 0 ? undefined : concept(context, interpreted);
  return {
    ...(coded === undefined ? {} : { interpretation: [coded] }),
    component: [{ code: only(COURSE.course), valueCodeableConcept: { ...only(own), text } }],
  };
}

/** The flags with their figures in words, what the software alone sees, what people decided of the wound, and the treatment since which its area counts. */
export function flagConclusions({ reading, context }: Rendered): CodeableConcept[] {
  const { flags, comparison } = reading.report.content;
  const pen = penFor(context);
  const { closure, reset, relation } = comparison;
  const told = resetText(pen, comparison).replaceAll('\u00a0', ' ');
  return [
    ...flags.map((flag) => ({
      ...only(FLAG[flag.code]),
      text: flagText(pen, flag, comparison).replaceAll('\u00a0', ' '),
    })),
    ...necrosisTexts(pen, comparison).map((text) => ({ ...only(LOOK.necrosis), text: text.replaceAll('\u00a0', ' ') })),
    ...(closure === null ? [] : [only(closure.reopenedAt === null ? CLOSURE.closed : CLOSURE.reopened)]),
    ...(reset === undefined ? [] : [{ ...only(RESET[reset.type]), text: told }]),
    ...(relation === undefined
      ? []
      : [{ ...only(RELATION[relation.kind]), text: relationText(pen, comparison).replaceAll('\u00a0', ' ') }]),
  ];
}

function estimate(
  { value, lower, upper }: Estimate,
  [code, lowerCode, upperCode]: readonly [Code, Code, Code],
  unit: Unit,
): ObservationComponent[] {
  return [component(code, value, unit), component(lowerCode, lower, unit), component(upperCode, upper, unit)];
}
