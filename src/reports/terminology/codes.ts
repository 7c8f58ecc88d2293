import type { AttentionReason } from '../../core/followup/attention.js';
import { MEASURES, type Measure, type MeasureUnit } from '../../core/measurement/measures.js';
import { perTissue, type Tissue } from '../../core/tissue/tissues.js';

/** Code systems and identifier systems, the same behind every door. */
export const LOINC = 'http://loinc.org';
export const SNOMED = 'http://snomed.info/sct';
export const UCUM = 'http://unitsofmeasure.org';
/** Base of everything that Sutura publishes itself; a name, and no address of an installation. */
export const SUTURA = 'https://sutura.dev/fhir';
export const WOUND_OBSERVATION = `${SUTURA}/CodeSystem/wound-observation`;

/** A profile of HL7's skin and wound guide, a draft that was never published. */
export const guideProfileUrl = (name: string): string =>
  `http://hl7.org/fhir/us/lower-extremity-skin-wound-assessment/StructureDefinition/${name}`;
export const profileUrl = (id: string): string => `${SUTURA}/StructureDefinition/${id}`;
export const identifierSystem = (
  kind: 'image-id' | 'job-id' | 'wound' | 'observation' | 'model' | 'model-weights' | 'hl7v2-message' | 'api-key',
): string => `${SUTURA}/sid/${kind}`;

/** A code with the words that its system gives it. */
export interface Code {
  readonly system: string;
  readonly code: string;
  readonly display: string;
}

export const code =
  (system: string) =>
  (value: string, display: string): Code => ({ system, code: value, display });
export const loinc = code(LOINC);
export const snomed = code(SNOMED);
export const local = code(WOUND_OBSERVATION);

const MEASURE_CODE = {
  area: loinc('89260-4', 'Area of wound'),
  length: loinc('39126-8', 'Length of Wound'),
  width: loinc('39125-0', 'Width of Wound'),
  perimeter: local('wound-perimeter', 'Perimeter of wound'),
} as const satisfies Readonly<Record<Measure, Code>>;

/** Measures that have an Observation, or a row, of their own; the perimeter goes with the area. */
export type ObservedMeasure = Exclude<Measure, 'perimeter'>;
export const OBSERVED_MEASURES = MEASURES.filter((measure): measure is ObservedMeasure => measure !== 'perimeter');

export const OBSERVABLE = {
  ...MEASURE_CODE,
  panel: loinc('39135-9', 'Wound assessment panel'),
  tissue: loinc('89254-7', 'Wound bed panel'),
  tissueShare: loinc('72370-0', 'Area of identified wound bed appearance/Area of wound bed of Wound base'),
  sizePanel: loinc('72287-6', 'Wound size panel'),
  appearance: loinc('72371-8', 'Appearance of Wound base'),
  photo: loinc('72170-4', 'Photographic image Unspecified body region Document'),
  pixelSpacing: local('pixel-spacing', 'Pixel spacing used for calibration'),
  modelConfidence: local('model-confidence', 'Model confidence'),
  woundPixels: local('wound-pixels', 'Wound pixels'),
  lowerBound: local('lower-bound', 'Lower bound'),
  upperBound: local('upper-bound', 'Upper bound'),
  changeSincePrevious: local(
    'area-change-since-previous',
    'Relative change of wound area since the previous assessment',
  ),
  changeSinceBaseline: local('area-change-since-baseline', 'Relative change of wound area since the first assessment'),
  daysSincePrevious: local('days-since-previous', 'Days since the previous assessment'),
  healingRate: local('healing-rate', 'Area change per week'),
} as const;

/** The names of a tissue at the doors. */
export interface TissueTerms {
  /** Local code of its share. */
  readonly share: string;
  readonly words: string;
  /** In an HL7 v2 message. */
  readonly messageWords: string;
  /** The wound bed finding of HL7's guide; null: none is valid in every edition, and words and the local code stand for it. */
  readonly finding: Code | null;
}

export const TISSUE_TERMS: Readonly<Record<Tissue, TissueTerms>> = {
  granulation: {
    share: 'tissue-granulation',
    words: 'Granulation tissue',
    messageWords: 'Granulation tissue',
    finding: null,
  },
  slough: {
    share: 'tissue-slough',
    words: 'Slough or fibrin',
    messageWords: 'Slough or fibrin',
    finding: snomed('449746002', 'Wound slough'),
  },
  necrosis: {
    share: 'tissue-necrosis',
    words: 'Eschar or necrosis',
    messageWords: 'Necrotic tissue',
    finding: snomed('421306004', 'Necrotic eschar'),
  },
  other: { share: 'tissue-other', words: 'Other or unclassified', messageWords: 'Other', finding: null },
};

/** A tissue's share of the wound bed, by the local code that goes beside 72370-0. */
export const TISSUE_SHARE: Readonly<Record<Tissue, Code>> = perTissue((tissue) => {
  const { share, words } = TISSUE_TERMS[tissue];
  return local(share, `${words}, percent of wound bed`);
});

/** Why a report waits for a person, as a conclusion of it. */
export const ATTENTION: Readonly<Record<AttentionReason, Code>> = {
  site_mismatch: local('site-mismatch', 'Site or side is not that of the wound: waits for confirmation'),
  duplicate_photo: local(
    'duplicate-photo',
    'The same photo is filed for another patient, wound or time: waits for confirmation',
  ),
  which_outline: local(
    'which-outline',
    'Several wounds in the photo, and not certain which is meant: waits for confirmation',
  ),
  no_wound_in_region: local(
    'no-wound-in-region',
    'No wound at the place that the sender named: waits for confirmation',
  ),
  area_jump: local('area-jump', 'Area changed as wounds hardly do: waits for confirmation'),
  area_implausible: local('area-implausible', 'Area is larger than that of a limb: waits for confirmation'),
  before_birth: local('before-birth', 'Photo is dated before the birth of the patient: waits for confirmation'),
  sandbox: local('sandbox', 'Asked for by the sender in the test environment: waits for confirmation'),
};

/** UCUM, with the unit as people read it. */
export const UNIT = {
  cm2: { unit: 'cm2', code: 'cm2' },
  cm: { unit: 'cm', code: 'cm' },
  percent: { unit: '%', code: '%' },
  days: { unit: 'days', code: 'd' },
  cm2PerWeek: { unit: 'cm2/week', code: 'cm2/wk' },
  percentPerWeek: { unit: '%/week', code: '%/wk' },
  mmPerDay: { unit: 'mm/day', code: 'mm/d' },
  mmPerPixel: { unit: 'mm/pixel', code: 'mm/{pixel}' },
  one: { unit: '1', code: '1' },
} as const satisfies Readonly<Record<MeasureUnit, unknown>> & Readonly<Record<string, unknown>>;
export type Unit = keyof typeof UNIT;
/** UCUM codes of a scale. What stands in braces is an annotation of UCUM, and no unit: these are all that are read. */
export const MM_PER_PIXEL_CODES: readonly string[] = ['mm/{pixel}', 'mm/{pixels}', 'mm/{px}'];

/** HL7's system of labels; R4's edition of it has no code for AI, which THO's has from 6.0.0 on. */
export const OBSERVATION_VALUE = 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue';
/** Ours has that code, so that a validator that knows R4 alone does not refuse the resource (decision 105). */
export const SECURITY_LABEL = `${SUTURA}/CodeSystem/security-label`;
const AI_ASSERTED = code(SECURITY_LABEL)('AIAST', 'Artificial Intelligence asserted');
const DEVICE_ASSERTED = code(OBSERVATION_VALUE)('DEVAST', 'device asserted');
/** `meta.security` of what a model asserted. */
export const AI_LABELS: readonly Code[] = [DEVICE_ASSERTED, AI_ASSERTED];
/** The systems by which AIAST is known: ours, and HL7's, which earlier releases wrote. */
export const AIAST_SYSTEMS: readonly string[] = [SECURITY_LABEL, OBSERVATION_VALUE];
export const AIAST = AI_ASSERTED.code;

/** True for AIAST of either system. */
export function isAiLabel({ system, code: value }: { readonly system?: string; readonly code?: string }): boolean {
  return value === AIAST && system !== undefined && AIAST_SYSTEMS.includes(system);
}

export function aiLabels(): Code[] {
  return AI_LABELS.map((label) => ({ ...label }));
}
export const EXAM = code('http://terminology.hl7.org/CodeSystem/observation-category')('exam', 'Exam');
const SERVICE_SECTION = code('http://terminology.hl7.org/CodeSystem/v2-0074');
export const NURSING_MEASURES = SERVICE_SECTION('NRS', 'Nursing Service Measures');
export const DIAGNOSTIC_IMAGING = SERVICE_SECTION('IMG', 'Diagnostic Imaging');
export const IMAGE = code('http://terminology.hl7.org/CodeSystem/media-type')('image', 'Image');
export const EXTERNAL_CAMERA = code('http://dicom.nema.org/resources/ontology/DCM')(
  'XC',
  'External-camera Photography',
);
export const APPLICATION_PROGRAM = snomed('706689003', 'Application program software');
const DATA_OPERATION = code('http://terminology.hl7.org/CodeSystem/v3-DataOperation');
export const CREATED = DATA_OPERATION('CREATE', 'create');
export const REVISED = DATA_OPERATION('UPDATE', 'revise');
const PARTICIPANT = code('http://terminology.hl7.org/CodeSystem/provenance-participant-type');
export const ASSEMBLER = PARTICIPANT('assembler', 'Assembler');
export const INFORMANT = PARTICIPANT('informant', 'Informant');
export const ENTERER = PARTICIPANT('enterer', 'Enterer');
export const VERIFIER = PARTICIPANT('verifier', 'Verifier');
const IDENTIFIER_TYPE = code('http://terminology.hl7.org/CodeSystem/v2-0203');
export const PLACER = IDENTIFIER_TYPE('PLAC', 'Placer Identifier');
export const FILLER = IDENTIFIER_TYPE('FILL', 'Filler Identifier');
export const ACCESSION = IDENTIFIER_TYPE('ACSN', 'Accession ID');
const ABSENT = code('http://terminology.hl7.org/CodeSystem/data-absent-reason');
export const NOT_PERFORMED = ABSENT('not-performed', 'Not Performed');
export const UNKNOWN = ABSENT('unknown', 'Unknown');
