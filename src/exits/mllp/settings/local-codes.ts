import { INFECTION_SIGNS, type InfectionSign, type SignStatus } from '../../../core/analysis/infection-sign-codes.js';
import type { AttentionReason } from '../../../core/followup/attention.js';
import type { QualityWarning } from '../../../core/measurement/wound-result.js';
import type { MeasureUnit } from '../../../core/measurement/measures.js';
import { TISSUE_TABLE, type Tissue } from '../../../core/tissue/tissues.js';
import {
  CLOCK,
  COURSE,
  LOINC,
  OBSERVABLE,
  OBSERVED_MEASURES,
  SNOMED,
  CLINICIAN_CODES,
  CLINICIAN_FIELDS,
  SIGN_CODES,
  clinicianValueOf,
  TISSUE_TERMS,
  UCUM,
  UNIT,
  type Code,
  type CodedField,
  type ObservedMeasure,
  type ClinicianField,
} from '../../../reports/index.js';
import type { CodedValue } from '../../../standards/hl7v2/er7/message-writer.js';
import { CODING_SYSTEMS, namedBySender } from './authorities.js';

/** Coding systems by their names in table 0396. */
const TABLE_0396: Readonly<Record<string, string>> = { [LOINC]: 'LN', [SNOMED]: 'SCT', [UCUM]: 'UCUM' };
/** The coding system of our own codes. */
export const LOCAL_SYSTEM = '99SUT';

const local = (code: string, display: string): CodedValue => ({ code, display, system: LOCAL_SYSTEM });

/** A code of the shared terminology as a coded value of HL7. Systems without a name in table 0396 count as ours. */
export function toCoded({ system, code, display }: Code): CodedValue {
  return { code, display, system: nameOfSystem(system) ?? LOCAL_SYSTEM };
}

/** `SCT` for SNOMED CT's URI, or the name by which a sender stated its own coding system; null where there is none. */
export function nameOfSystem(uri: string): string | null {
  return TABLE_0396[uri] ?? namedBySender(uri, CODING_SYSTEMS);
}

/** OBX-3 of each measure. */
export const MEASURE_ROW = Object.fromEntries(
  OBSERVED_MEASURES.map((measure) => [measure, toCoded(OBSERVABLE[measure])]),
) as Readonly<Record<ObservedMeasure, CodedValue>>;

/** OBX-3 of each field that a clinician states. */
export const CLINICIAN_ROW = Object.fromEntries(
  CLINICIAN_FIELDS.map((field) => [field, toCoded(CLINICIAN_CODES[field])]),
) as Readonly<Record<ClinicianField, CodedValue>>;

/** OBX-3 of each sign of infection, and its answer in HL7's table 0136. */
export const SIGN_ROW = Object.fromEntries(
  INFECTION_SIGNS.map((sign) => [sign, toCoded(SIGN_CODES[sign])]),
) as Readonly<Record<InfectionSign, CodedValue>>;
export const YES_OR_NO: Readonly<Record<SignStatus, CodedValue>> = {
  present: { code: 'Y', display: 'Yes', system: 'HL70136' },
  absent: { code: 'N', display: 'No', system: 'HL70136' },
};

/** OBX-3 of the clock positions beside a depth. */
export const CLOCK_ROW = { undermining: toCoded(CLOCK.undermining), tunnelling: toCoded(CLOCK.tunnelling) } as const;

/** The subjects of rows. */
export const ROW = {
  panel: toCoded(OBSERVABLE.panel),
  woundId: local('wound-id', 'Wound number'),
  site: local('wound-site', 'Wound site'),
  side: local('wound-side', 'Wound side'),
  ...MEASURE_ROW,
  quality: local('quality-warning', 'Photo quality warning'),
  familiarity: local('expected-overlap', 'Expected overlap with the outline of an expert (Dice)'),
  attention: local('attention', 'Waits for confirmation by a clinician'),
  appearance: toCoded(OBSERVABLE.appearance),
  share: toCoded(OBSERVABLE.tissueShare),
  course: toCoded(COURSE.course),
  change: { ...toCoded(OBSERVABLE.changeSincePrevious), display: 'Area change since previous assessment' },
  slope: toCoded(COURSE.slope),
  slopeLower: toCoded(COURSE.slopeLower),
  slopeUpper: toCoded(COURSE.slopeUpper),
  margin: toCoded(COURSE.margin),
  flags: local('follow-up-flag', 'Worth a look by a clinician'),
  closure: local('wound-closure', 'Closed by a person before the photo'),
  relation: local('wound-relation', 'Grown together or fallen apart'),
  reset: local('area-reset', 'Area counted anew after a treatment'),
  confidence: toCoded(OBSERVABLE.modelConfidence),
  conclusion: local('conclusion', 'Conclusion'),
  document: local('wound-report-pdf', 'Wound assessment report'),
  photo: toCoded(OBSERVABLE.photo),
} as const satisfies Record<string, CodedValue>;

/**
 * Codes of rows (first component of OBX-3) that a destination may translate or leave out. The report and the photo have
 * settings of their own.
 */
export function rowCodes(): readonly string[] {
  const { panel, document, photo, ...rows } = ROW;
  const left = [panel, document, photo].map(({ code }) => code);
  const bounds = OBSERVED_MEASURES.flatMap((measure) =>
    (['lower', 'upper'] as const).map((end) => boundOf(measure, end).code),
  );
  const stated = [CLINICIAN_ROW, SIGN_ROW, CLOCK_ROW]
    .flatMap((some) => Object.values<CodedValue>(some))
    .map(({ code }) => code);
  return [...Object.values(rows).map(({ code }) => code), ...bounds, ...stated].filter((code) => !left.includes(code));
}

/** Codes of OBX-6. */
export function unitCodes(): readonly string[] {
  return ROW_UNITS.map((unit) => UNIT[unit].code);
}

/** One end of a measure's interval, with a code of its own, so that no receiver takes it for the measure. */
export function boundOf(measure: ObservedMeasure, end: 'lower' | 'upper'): CodedValue {
  return local(`${measure}-${end}-bound`, `${MEASURE_ROW[measure].display}, ${end} bound`);
}

export type RowUnit = MeasureUnit | 'percent' | 'percentPerWeek' | 'mmPerDay' | 'one';
const UNIT_TEXT: Readonly<Record<RowUnit, string>> = {
  cm2: 'square centimeter',
  cm: 'centimeter',
  percent: 'percent',
  percentPerWeek: 'percent per week',
  mmPerDay: 'millimeter per day',
  one: 'no unit',
};
const ROW_UNITS = Object.keys(UNIT_TEXT) as readonly RowUnit[];

/** OBX-6, UCUM. */
export function unitOf(unit: RowUnit): CodedValue {
  return { code: UNIT[unit].code, display: UNIT_TEXT[unit], system: 'UCUM' };
}

/** OBX-17: the method by which a value was found. */
export const METHOD = {
  calibrated: local('AI', 'Algorithm-derived from calibrated photograph'),
  uncalibrated: local('AI', 'Algorithm-derived from photograph without scale'),
  scaled: local('AI', 'Algorithm-derived from photograph, scale set by a clinician'),
  rule: local('RULE', 'Colour rule in CIELAB'),
  outlined: local('MANUAL', 'Outline corrected by a clinician'),
  stated: local('MANUAL', 'Stated by a clinician'),
} as const;

/** The evidence for a tissue. A tissue that needs a clinician has a SNOMED CT code only where a clinician stated it. */
export type TissueEvidence = 'confirmed' | 'rule' | 'model';

/** OBX-5 of a tissue; `snomed`: whether its codes may be used. */
export function tissueValue(
  tissue: Tissue,
  { snomed, evidence }: { readonly snomed: boolean; readonly evidence: TissueEvidence },
): CodedValue {
  const { finding, messageWords } = TISSUE_TERMS[tissue];
  if (TISSUE_TABLE[tissue].needsClinician && evidence !== 'confirmed')
    return local(tissue, `${messageWords} (${evidence === 'rule' ? 'colour rule, ' : ''}unconfirmed)`);
  return snomed && finding !== null ? toCoded(finding) : local(tissue, messageWords);
}

/** OBX-5 of a coded field that a clinician stated; `snomed`: whether its codes may be used. */
export function clinicianValue(field: CodedField, name: string, snomed: boolean): CodedValue {
  const { own, snomed: finding } = clinicianValueOf(field, name);
  const ours = toCoded(own);
  if (!snomed || finding === null) return ours;
  return { ...toCoded(finding), alternate: { code: ours.code, display: own.display, system: LOCAL_SYSTEM } };
}

/** OBX-5 of a side of the body. */
export function sideValue(side: string): CodedValue {
  return local(side, inWords(side));
}

/** OBX-5 of the quality row beside its warnings: the figures are not to be used as they are. */
export const DOUBT = {
  photo: local('photo_not_acceptable', 'Photo not acceptable: take another one'),
  outline: local('outline_doubtful', 'Outline more likely wrong than right'),
} as const;

/** OBX-5 of a quality warning. */
export function warningValue(warning: QualityWarning): CodedValue {
  return local(warning, inWords(warning));
}

/** OBX-5 of a reason for which the result waits for a person. */
export function attentionValue(reason: AttentionReason): CodedValue {
  return local(reason, inWords(reason));
}

function inWords(code: string): string {
  const words = code.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
