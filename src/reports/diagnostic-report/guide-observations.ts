import type { CodeableConcept, Observation, ObservationComponent } from '@medplum/fhirtypes';
import { MEASURE_TABLE } from '../../core/measurement/measures.js';
import { TISSUE_TABLE, tissuesOf, type Tissue } from '../../core/tissue/tissues.js';
import {
  NOT_PERFORMED,
  OBSERVABLE,
  OBSERVED_MEASURES,
  TISSUE_SHARE,
  TISSUE_TERMS,
  UNKNOWN,
  type Code,
  type Unit,
} from '../terminology/codes.js';
import { guideProfileUrl } from '../terminology/codes.js';
import { methodOf, observationBase } from './observation-base.js';
import { photoNotes } from './photo-notes.js';
import { concept, only, penFor, quantity, refer, type Rendered } from './rendering-context.js';

/** Area, length and width as components of one Observation, as HL7's guide has them. */
export function toWoundSize(rendered: Rendered): Observation {
  const { content } = rendered.reading.report;
  const { findings } = content;
  const { figures } = findings;
  const area = figures?.area.cm2;
  const lengths = OBSERVED_MEASURES.flatMap((measure) => {
    const measured = measure === 'area' ? null : figures?.[measure].cm;
    return measured ? [component(OBSERVABLE[measure], measured.value, MEASURE_TABLE[measure].unit)] : [];
  });
  const { mmPerPixel } = findings.scale;
  return {
    ...observationBase(rendered, 'size', OBSERVABLE.sizePanel, guideProfileUrl('WoundSize')),
    method: methodOf(rendered, 'size'),
    ...photoNotes(penFor(rendered.context), content),
    component: [
      ...lengths,
      area
        ? component(OBSERVABLE.area, area.value, 'cm2')
        : { code: only(OBSERVABLE.area), dataAbsentReason: only(figures === null ? UNKNOWN : NOT_PERFORMED) },
      ...(area
        ? [component(OBSERVABLE.lowerBound, area.lower, 'cm2'), component(OBSERVABLE.upperBound, area.upper, 'cm2')]
        : []),
      ...(figures !== null && mmPerPixel !== null
        ? [component(OBSERVABLE.pixelSpacing, mmPerPixel, 'mmPerPixel')]
        : []),
      ...(figures === null
        ? []
        : [{ code: only(OBSERVABLE.woundPixels), valueInteger: Math.round(figures.area.pixels) }]),
      ...(findings.confidence === null ? [] : [component(OBSERVABLE.modelConfidence, findings.confidence, 'one')]),
    ],
  } as Observation;
}

/** The wound bed, then an Observation for each tissue that was seen in it. Empty where no tissue was told. */
export function toWoundBed(rendered: Rendered): Observation[] {
  const { tissue } = rendered.reading.report.content.findings;
  if (tissue === null) return [];
  const appearances = tissuesOf(tissue)
    .filter((name) => tissue[name] > 0)
    .map((name) => toAppearance(rendered, name, tissue[name]));
  return [
    {
      ...observationBase(rendered, 'bed', OBSERVABLE.tissue, guideProfileUrl('WoundBed')),
      method: methodOf(rendered, 'bed'),
      hasMember: membersOf(appearances),
    } as Observation,
    ...appearances,
  ];
}

export function component(code: Code, value: number, unit: Unit): ObservationComponent {
  return { code: only(code), valueQuantity: quantity(value, unit) };
}

export function membersOf(members: readonly Observation[]): NonNullable<Observation['hasMember']> {
  return members.map(({ id }) => refer(`Observation/${id!}`)) as NonNullable<Observation['hasMember']>;
}

function toAppearance(rendered: Rendered, name: Tissue, share: number): Observation {
  const { confirmedTissues, tissue } = rendered.reading.report.content.findings;
  const unconfirmed = tissue?.method[name] === 'cielab_rule' && !confirmedTissues.includes(name);
  return {
    ...observationBase(rendered, `appearance-${name}`, OBSERVABLE.appearance, guideProfileUrl('WoundBedAppearance')),
    method: methodOf(rendered, `appearance-${name}`),
    valueCodeableConcept: appearanceOf(rendered, name),
    ...(unconfirmed ? { note: [{ text: penFor(rendered.context).say('note.colourRule') }] } : {}),
    component: [component(OBSERVABLE.tissueShare, Math.round(share * 1000) / 10, 'percent')],
  } as Observation;
}

function appearanceOf({ reading, context }: Rendered, name: Tissue): CodeableConcept {
  const { confirmedTissues } = reading.report.content.findings;
  const { finding, words } = TISSUE_TERMS[name];
  const coded = finding !== null && (!TISSUE_TABLE[name].needsClinician || confirmedTissues.includes(name));
  return concept(context, [...(coded ? [finding] : []), TISSUE_SHARE[name]], words) ?? { text: words };
}
