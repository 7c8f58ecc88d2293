import type { CodeableConcept, Observation, ObservationComponent } from '@medplum/fhirtypes';
import { TISSUES, type Tissue } from '../../core/analysis/wound-result.js';
import {
  NOT_PERFORMED,
  OBSERVABLE,
  TISSUE_FINDING,
  TISSUE_SHARE,
  UNKNOWN,
  type Code,
  type Unit,
} from '../terminology/codes.js';
import { guideProfileUrl } from '../terminology/systems.js';
import { methodOf, observationBase } from './observation-base.js';
import { concept, only, quantity, refer, type Rendered } from './rendering-context.js';

/** A tissue in words, where no code says it everywhere. */
const TISSUE_WORDS: Readonly<Record<Tissue, string>> = {
  granulation: 'Granulation tissue',
  slough: 'Slough or fibrin',
  necrosis: 'Eschar or necrosis',
  other: 'Other or unclassified',
};

/** Area, length and width as components of one Observation, as HL7's guide has them. */
export function toWoundSize(rendered: Rendered): Observation {
  const { findings } = rendered.reading.report.content;
  const { figures } = findings;
  const [area, length, width] = [figures?.area.cm2, figures?.length.cm, figures?.width.cm];
  const { mmPerPixel } = findings.scale;
  return {
    ...observationBase(rendered, 'size', OBSERVABLE.sizePanel, guideProfileUrl('WoundSize')),
    method: methodOf(rendered, 'size'),
    ...(findings.quality.warnings.length === 0
      ? {}
      : { note: [{ text: `Photo quality: ${findings.quality.warnings.join(', ')}` }] }),
    component: [
      ...(length ? [component(OBSERVABLE.length, length.value, 'cm')] : []),
      ...(width ? [component(OBSERVABLE.width, width.value, 'cm')] : []),
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
  const appearances = TISSUES.filter((name) => tissue[name] > 0).map((name) =>
    toAppearance(rendered, name, tissue[name]),
  );
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
  const unconfirmed =
    name === 'necrosis' && tissue?.method.necrosis === 'cielab_rule' && !confirmedTissues.includes('necrosis');
  return {
    ...observationBase(rendered, `appearance-${name}`, OBSERVABLE.appearance, guideProfileUrl('WoundBedAppearance')),
    method: methodOf(rendered, `appearance-${name}`),
    valueCodeableConcept: appearanceOf(rendered, name),
    ...(unconfirmed
      ? { note: [{ text: 'Necrosis is found by a colour rule and is not confirmed by a clinician.' }] }
      : {}),
    component: [component(OBSERVABLE.tissueShare, Math.round(share * 1000) / 10, 'percent')],
  } as Observation;
}

/** Necrosis has a code of SNOMED CT only once a clinician has stated it. */
function appearanceOf({ reading, context }: Rendered, name: Tissue): CodeableConcept {
  const { confirmedTissues } = reading.report.content.findings;
  const finding = name === 'necrosis' && !confirmedTissues.includes(name) ? undefined : TISSUE_FINDING[name];
  return (
    concept(context, [...(finding === undefined ? [] : [finding]), TISSUE_SHARE[name]], TISSUE_WORDS[name]) ?? {
      text: TISSUE_WORDS[name],
    }
  );
}
