import type { Observation, ObservationComponent } from '@medplum/fhirtypes';
import type { MeasuredCm } from '../../core/measurement/wound-result.js';
import { MEASURE_TABLE } from '../../core/measurement/measures.js';
import { tissuesOf } from '../../core/tissue/tissues.js';
import {
  NOT_PERFORMED,
  OBSERVABLE,
  OBSERVED_MEASURES,
  TISSUE_SHARE,
  UNKNOWN,
  type ObservedMeasure,
  type Unit,
} from '../terminology/codes.js';
import { profileUrl } from '../terminology/codes.js';
import { component, membersOf, toWoundBed, toWoundSize } from './guide-observations.js';
import type { SeriesPoint } from '../../core/followup/series.js';
import { codesOfChange } from '../terminology/follow-up-codes.js';
import { courseComponents, verdictOnPanel } from './course-components.js';
import { methodOf, observationBase, observationId } from './observation-base.js';
import type { AreaChange } from '../../core/followup/area-change.js';
import type { Pen } from '../documents/document-blocks.js';
import { photoNotes } from './photo-notes.js';
import { concept, only, penFor, quantity, refer, type Rendered } from './rendering-context.js';
import { toClinicianObservations } from './clinician-observations.js';

/** The Observations of a report: the panel first, then what it holds. Pure: the same report and context give the same resources. */
export function toObservations(rendered: Rendered): Observation[] {
  const guided = rendered.context.style === 'skin-wound-ig';
  const measures = guided
    ? [toWoundSize(rendered)]
    : [
        ...OBSERVED_MEASURES.map((measure) => (measure === 'area' ? areaOf(rendered) : lengthOf(rendered, measure))),
        tissueOf(rendered),
      ];
  const bed = guided ? toWoundBed(rendered) : [];
  const members = [...measures, ...bed.slice(0, 1), progressOf(rendered)].filter((one) => one !== null);
  const stated = toClinicianObservations(rendered);
  const panel = {
    ...observationBase(rendered, 'panel', OBSERVABLE.panel),
    ...verdictOnPanel(rendered),
    hasMember: membersOf([...members, ...stated]),
  } as Observation;
  // The parts of the wound bed are its members, not the panel's.
  return [panel, ...members, ...bed.slice(1), ...stated];
}

function bounds({ lower, upper }: MeasuredCm, unit: Unit): ObservationComponent[] {
  return [component(OBSERVABLE.lowerBound, lower, unit), component(OBSERVABLE.upperBound, upper, unit)];
}

/** Without an outline its value is unknown, without a scale it was not measured: nothing is invented. */
function areaOf(rendered: Rendered): Observation {
  const { content } = rendered.reading.report;
  const { findings } = content;
  const area = findings.figures?.area;
  const absent = area === undefined ? UNKNOWN : NOT_PERFORMED;
  const { mmPerPixel } = findings.scale;
  const components = [
    ...(area !== undefined && mmPerPixel !== null
      ? [component(OBSERVABLE.pixelSpacing, mmPerPixel, 'mmPerPixel')]
      : []),
    ...(findings.confidence === null ? [] : [component(OBSERVABLE.modelConfidence, findings.confidence, 'one')]),
    ...(area?.cm2 ? bounds(area.cm2, 'cm2') : []),
    ...(area === undefined ? [] : [{ code: only(OBSERVABLE.woundPixels), valueInteger: Math.round(area.pixels) }]),
    ...(findings.figures?.perimeter.cm
      ? [component(OBSERVABLE.perimeter, findings.figures.perimeter.cm.value, 'cm')]
      : []),
  ];
  return {
    ...observationBase(rendered, 'area', OBSERVABLE.area),
    ...(area?.cm2 ? { valueQuantity: quantity(area.cm2.value, 'cm2') } : { dataAbsentReason: only(absent) }),
    method: methodOf(rendered, 'area'),
    ...photoNotes(penFor(rendered.context), content),
    ...(components.length === 0 ? {} : { component: components }),
  } as Observation;
}

function lengthOf(rendered: Rendered, measure: Exclude<ObservedMeasure, 'area'>): Observation | null {
  const measured = rendered.reading.report.content.findings.figures?.[measure].cm;
  if (measured === null || measured === undefined) return null;
  const { unit } = MEASURE_TABLE[measure];
  return {
    ...observationBase(rendered, measure, OBSERVABLE[measure]),
    valueQuantity: quantity(measured.value, unit),
    method: methodOf(rendered, measure),
    component: bounds(measured, unit),
  } as Observation;
}

function tissueOf(rendered: Rendered): Observation | null {
  const { tissue } = rendered.reading.report.content.findings;
  if (tissue === null) return null;
  const shares = tissuesOf(tissue).map((name): ObservationComponent => ({
    code: { coding: [{ ...OBSERVABLE.tissueShare }, { ...TISSUE_SHARE[name] }] },
    // Shares carry three digits; a tenth of a percent says the same.
    valueQuantity: quantity(Math.round(tissue[name] * 1000) / 10, 'percent'),
  }));
  const byRule = Object.values(tissue.method).includes('cielab_rule')
    ? [{ text: penFor(rendered.context).say('note.colourRule') }]
    : [];
  return {
    ...observationBase(rendered, 'tissue', OBSERVABLE.tissue),
    method: methodOf(rendered, 'tissue'),
    component: shares,
    ...(byRule.length === 0 ? {} : { note: byRule }),
  } as Observation;
}

/** From the second assessment that has an area on. Its profile names our areas, which the guide's form has not. */
function progressOf(rendered: Rendered): Observation | null {
  const { reading, context } = rendered;
  const { comparison } = reading.report.content;
  const { sincePrevious, sinceBaseline, previous } = comparison;
  if (sincePrevious === null || previous === null) return null;
  const guided = context.style === 'skin-wound-ig';
  const area = (reportId: string) => refer(`Observation/${observationId(reportId, guided ? 'size' : 'area')}`);
  const { conclusion, interpretation } = codesOfChange(comparison, sincePrevious.areaPct);
  const codes = [conclusion, interpretation].filter((code) => code !== null);
  const interpreted = codes.length === 0 ? undefined : concept(context, codes);
  return {
    ...observationBase(
      rendered,
      'progress',
      OBSERVABLE.changeSincePrevious,
      guided ? undefined : profileUrl('sutura-wound-healing-progress'),
    ),
    valueQuantity: quantity(sincePrevious.areaPct, 'percent'),
    ...(interpreted === undefined ? {} : { interpretation: [interpreted] }),
    note: [{ text: comparedText(penFor(context), sincePrevious) }],
    derivedFrom: [reading.report.id, ...idsOf(previous)].map(area),
    component: [
      ...(sinceBaseline === null ? [] : [component(OBSERVABLE.changeSinceBaseline, sinceBaseline.areaPct, 'percent')]),
      component(OBSERVABLE.daysSincePrevious, sincePrevious.days, 'days'),
      ...(sincePrevious.areaCm2PerWeek === null
        ? []
        : [component(OBSERVABLE.healingRate, sincePrevious.areaCm2PerWeek, 'cm2PerWeek')]),
      ...courseComponents(comparison),
    ],
  } as Observation;
}

/** All the areas that are told as one. */
function idsOf({ reportId, sumOf }: SeriesPoint): string[] {
  return sumOf?.map((area) => area.reportId) ?? [reportId];
}

/** What change the two photos can show, and what speaks against comparing them. */
function comparedText({ say, figures }: Pen, { minimalDetectableChangePct, warnings }: AreaChange): string {
  const reasons = warnings.map((warning) => say(`warning.${warning}`)).join(' ');
  const detectable = say('note.detectable', { percent: figures.percent(minimalDetectableChangePct) });
  return warnings.length === 0 ? detectable : `${detectable} ${say('note.notComparable', { reasons })}`;
}
