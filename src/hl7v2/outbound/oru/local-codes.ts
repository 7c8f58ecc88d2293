import type { QualityWarning, Tissue } from '../../../core/analysis/wound-result.js';
import { LOINC, OBSERVABLE, SNOMED, TISSUE_FINDING, UCUM, UNIT, type Code, type Unit } from '../../../reports/index.js';
import type { CodedValue } from '../../er7/message-writer.js';
import { CODING_SYSTEMS, namedBySender } from './sender-names.js';

/** Coding systems as table 0396 names them. */
const TABLE_0396: Readonly<Record<string, string>> = { [LOINC]: 'LN', [SNOMED]: 'SCT', [UCUM]: 'UCUM' };
/** Of our own codes. */
export const LOCAL_SYSTEM = '99SUT';

const local = (code: string, display: string): CodedValue => ({ code, display, system: LOCAL_SYSTEM });

/** A code of the terminology that all doors share, in HL7's words. Systems that table 0396 has no name for are ours. */
export function toCoded({ system, code, display }: Code): CodedValue {
  return { code, display, system: nameOfSystem(system) ?? LOCAL_SYSTEM };
}

/** `SCT` for SNOMED CT's URI, and the name that a sender's own coding system came in with; null where there is none. */
export function nameOfSystem(uri: string): string | null {
  return TABLE_0396[uri] ?? namedBySender(uri, CODING_SYSTEMS);
}

/** What a row is about. */
export const ROW = {
  panel: toCoded(OBSERVABLE.panel),
  woundId: local('wound-id', 'Wound number'),
  site: local('wound-site', 'Wound site'),
  side: local('wound-side', 'Wound side'),
  area: toCoded(OBSERVABLE.area),
  length: toCoded(OBSERVABLE.length),
  width: toCoded(OBSERVABLE.width),
  quality: local('quality-warning', 'Photo quality warning'),
  appearance: toCoded(OBSERVABLE.appearance),
  share: toCoded(OBSERVABLE.tissueShare),
  change: { ...toCoded(OBSERVABLE.changeSincePrevious), display: 'Area change since previous assessment' },
  confidence: toCoded(OBSERVABLE.modelConfidence),
  conclusion: local('conclusion', 'Conclusion'),
  document: local('wound-report-pdf', 'Wound assessment report'),
  photo: toCoded(OBSERVABLE.photo),
} as const satisfies Record<string, CodedValue>;

const MEASURES = ['area', 'length', 'width'] as const;

/** Codes of the rows that a destination may name in its own codes or leave out: OBX-3 by its first component. The report and the photo have settings of their own. */
export function rowCodes(): readonly string[] {
  const { panel, document, photo, ...rows } = ROW;
  const left = [panel, document, photo].map(({ code }) => code);
  const bounds = MEASURES.flatMap((measure) => (['lower', 'upper'] as const).map((end) => boundOf(measure, end).code));
  return [...Object.values(rows).map(({ code }) => code), ...bounds].filter((code) => !left.includes(code));
}

/** Codes of OBX-6. */
export function unitCodes(): readonly string[] {
  return (['cm2', 'cm', 'percent', 'one'] as const).map((unit) => UNIT[unit].code);
}

/** One end of the interval that a measure lies in: a code of its own, so that nobody takes it for the measure. */
export function boundOf(measure: 'area' | 'length' | 'width', end: 'lower' | 'upper'): CodedValue {
  return local(`${measure}-${end}-bound`, `${ROW[measure].display}, ${end} bound`);
}

const UNIT_TEXT: Readonly<Partial<Record<Unit, string>>> = {
  cm2: 'square centimeter',
  cm: 'centimeter',
  percent: 'percent',
  one: 'no unit',
};

/** OBX-6, UCUM. */
export function unitOf(unit: 'cm2' | 'cm' | 'percent' | 'one'): CodedValue {
  return { code: UNIT[unit].code, display: UNIT_TEXT[unit]!, system: 'UCUM' };
}

/** OBX-17: how a value was found. */
export const METHOD = {
  calibrated: local('AI', 'Algorithm-derived from calibrated photograph'),
  uncalibrated: local('AI', 'Algorithm-derived from photograph without scale'),
  rule: local('RULE', 'Colour rule in CIELAB'),
  outlined: local('MANUAL', 'Outline corrected by a clinician'),
  stated: local('MANUAL', 'Stated by a clinician'),
} as const;

const TISSUE: Readonly<Record<Tissue, CodedValue>> = {
  granulation: local('granulation', 'Granulation tissue'),
  slough: local('slough', 'Slough or fibrin'),
  necrosis: local('necrosis', 'Necrotic tissue'),
  other: local('other', 'Other'),
};

/** How much is known of a necrosis: only what a clinician stated has a code of SNOMED CT. */
export type NecrosisEvidence = 'confirmed' | 'rule' | 'model';

/** OBX-5 of a tissue; `snomed`: its codes may be used. */
export function tissueValue(
  tissue: Tissue,
  { snomed, necrosis }: { readonly snomed: boolean; readonly necrosis: NecrosisEvidence },
): CodedValue {
  const finding = snomed && (tissue !== 'necrosis' || necrosis === 'confirmed') ? TISSUE_FINDING[tissue] : undefined;
  if (finding !== undefined) return toCoded(finding);
  if (tissue !== 'necrosis' || necrosis === 'confirmed') return TISSUE[tissue];
  return local(
    'necrosis',
    necrosis === 'rule' ? 'Necrotic tissue (colour rule, unconfirmed)' : 'Necrotic tissue (unconfirmed)',
  );
}

/** OBX-5 of a side of the body. */
export function sideValue(side: string): CodedValue {
  return local(side, inWords(side));
}

/** OBX-5 of a quality warning. */
export function warningValue(warning: QualityWarning): CodedValue {
  return local(warning, inWords(warning));
}

function inWords(code: string): string {
  const words = code.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
