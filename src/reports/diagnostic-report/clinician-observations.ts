import type { CodeableConcept, Observation, ObservationComponent } from '@medplum/fhirtypes';
import type { ClinicianObservations, Tunnel, Undermining } from '../../core/analysis/clinician-observations.js';
import type { StatedSign } from '../../core/analysis/infection-sign-codes.js';
import type { WoundStage } from '../../core/analysis/wound-stage.js';
import { profileUrl, type Code } from '../terminology/codes.js';
import { SIGN_CODES } from '../terminology/sign-codes.js';
import { stageCodeOf } from '../terminology/stage-codes.js';
import {
  CLOCK,
  CLINICIAN_CODES,
  CLINICIAN_FIELDS,
  clinicianValueOf,
  type CodedField,
  type ClinicianField,
} from '../terminology/clinician-codes.js';
import { methodOf, observationBase, type ClinicianKind } from './observation-base.js';
import { concept, only, quantity, type Rendered } from './rendering-context.js';

/** The end of the Observation's id; published, and the same in every version. */
const KIND: Readonly<Record<ClinicianField, ClinicianKind>> = {
  depthCm: 'stated-depth',
  lengthCm: 'stated-length',
  widthCm: 'stated-width',
  exudate: 'stated-exudate',
  exudateType: 'stated-exudate-type',
  odour: 'stated-odour',
  painNrs: 'stated-pain',
  undermining: 'stated-undermining',
  tunnelling: 'stated-tunnelling',
  edges: 'stated-edges',
  periwound: 'stated-periwound',
  infectionSigns: 'stated-infection-signs',
  infectionSignCodes: 'stated-signs',
  stage: 'stated-stage',
};

/** One Observation for each field that a clinician stated, and for each undermined stretch and each tunnel. */
export function toClinicianObservations(rendered: Rendered): Observation[] {
  const given = rendered.reading.report.content.clinicianObservations ?? {};
  return CLINICIAN_FIELDS.flatMap((field) => fieldsOf(rendered, field, given));
}

function fieldsOf(rendered: Rendered, field: ClinicianField, given: ClinicianObservations): Observation[] {
  switch (field) {
    case 'depthCm':
    case 'lengthCm':
    case 'widthCm': {
      const centimetres = given[field];
      return centimetres === undefined ? [] : [whole(rendered, field, { valueQuantity: quantity(centimetres, 'cm') })];
    }
    case 'painNrs':
      return given.painNrs === undefined ? [] : [whole(rendered, field, { valueInteger: given.painNrs })];
    case 'undermining':
    case 'tunnelling':
      return underminingOf(rendered, field, given[field] ?? []);
    case 'infectionSigns':
      return listed(rendered, field, given.infectionSigns ?? [], (valueString) => ({ valueString }));
    case 'infectionSignCodes':
      return signsOf(rendered, given.infectionSignCodes ?? []);
    case 'stage':
      return given.stage === undefined ? [] : [stageOf(rendered, given.stage)];
    case 'exudate':
    case 'exudateType':
    case 'odour':
    case 'edges':
    case 'periwound':
      return codedOf(rendered, field, given);
  }
}

function codedOf(rendered: Rendered, field: CodedField, given: ClinicianObservations): Observation[] {
  const said: string | readonly string[] = given[field] ?? [];
  return listed(rendered, field, typeof said === 'string' ? [said] : said, (name) => ({
    valueCodeableConcept: conceptOf(rendered, field, name),
  }));
}

/** One value is the Observation's own, several are its components (as in the HL7 v2-to-FHIR guide). */
function listed(
  rendered: Rendered,
  field: ClinicianField,
  items: readonly string[],
  valueOf: (item: string) => Partial<ObservationComponent>,
): Observation[] {
  if (items.length === 0) return [];
  const [first, ...others] = items.map(valueOf);
  if (others.length === 0) return [whole(rendered, field, first!)];
  const component = [first!, ...others].map((value) => ({ code: only(CLINICIAN_CODES[field]), ...value }));
  return [whole(rendered, field, { component })];
}

/** Each sign is a component, true where it is there: so that "no" is data as well. */
function signsOf(rendered: Rendered, signs: readonly StatedSign[]): Observation[] {
  if (signs.length === 0) return [];
  const component = signs.map(({ sign, status }) => ({
    code: only(SIGN_CODES[sign]),
    valueBoolean: status === 'present',
  }));
  return [whole(rendered, 'infectionSignCodes', { component })];
}

function stageOf(rendered: Rendered, stage: WoundStage): Observation {
  const code = stageCodeOf(stage);
  const { statedBy, statedAt } = stage;
  return {
    ...whole(rendered, 'stage', { valueCodeableConcept: { coding: [{ ...code }], text: code.display } }),
    ...(statedAt === undefined ? {} : { effectiveDateTime: statedAt }),
    ...(statedBy === undefined ? {} : { performer: [{ display: statedBy }] }),
  };
}

function underminingOf(
  rendered: Rendered,
  field: 'undermining' | 'tunnelling',
  places: readonly (Undermining | Tunnel)[],
): Observation[] {
  return places.map((place, index) => ({
    ...base(rendered, field, `${KIND[field]}-${index + 1}`),
    valueQuantity: quantity(place.depthCm, 'cm'),
    component: 'clock' in place ? [hour([CLOCK.tunnelling], place.clock)] : stretch(place),
  }));
}

function stretch({ fromClock, toClock }: Undermining): ObservationComponent[] {
  if (toClock === undefined) return [hour([CLOCK.undermining], fromClock)];
  return [hour([CLOCK.undermining, CLOCK.from], fromClock), hour([CLOCK.undermining, CLOCK.to], toClock)];
}

function hour(codes: readonly Code[], clock: number): ObservationComponent {
  return { code: { coding: codes.map((code) => ({ ...code })) }, valueInteger: clock };
}

function whole(rendered: Rendered, field: ClinicianField, value: Partial<Observation>): Observation {
  return { ...base(rendered, field, KIND[field]), ...value };
}

/** What was stated on another day than the photo's keeps its own time. */
function statedAtOf({ reading }: Rendered, field: ClinicianField): Partial<Observation> {
  const time = reading.report.content.clinicianObservations?.statedAt?.[field];
  return time === undefined ? {} : { effectiveDateTime: time };
}

function base(rendered: Rendered, field: ClinicianField, kind: ClinicianKind): Observation {
  return {
    ...observationBase(rendered, kind, CLINICIAN_CODES[field], profileUrl('sutura-wound-clinician-finding')),
    ...statedAtOf(rendered, field),
    method: methodOf(rendered, kind),
  };
}

function conceptOf({ context }: Rendered, field: CodedField, name: string): CodeableConcept {
  const { own, snomed } = clinicianValueOf(field, name);
  return concept(context, [...(snomed === null ? [] : [snomed]), own], own.display)!;
}
