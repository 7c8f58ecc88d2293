import {
  OBSERVABLE,
  CLINICIAN_CODES,
  CLINICIAN_VALUES,
  WOUND_OBSERVATION,
  type Code,
  type CodedField,
  type ClinicianValue,
} from '../../../../reports/index.js';

/**
 * LOINC codes of bedside findings that are accepted from others: the same as behind the FHIR door, which a test
 * compares.
 */
const FINDING_CODES: ReadonlySet<string> = new Set([
  '39126-8',
  '39125-0',
  '39127-6',
  '39116-9',
  '39114-4',
  '94083-3',
  '39132-6',
  '89255-4',
  '89256-2',
  '72304-9',
  '39133-4',
  '72289-2',
  '72290-0',
  '72288-4',
  '72291-8',
  '89259-6',
  '72298-3',
  '72296-7',
  '72297-5',
  '72295-9',
  '72293-4',
  '72294-2',
  '89258-8',
  '72301-5',
]);

/** Our own codes of findings, with the words that they have in the record. */
const OWN_CODES: ReadonlyMap<string, Code> = new Map(
  [OBSERVABLE.pixelSpacing, ...Object.values(CLINICIAN_CODES)]
    .filter(({ system }) => system === WOUND_OBSERVATION)
    .map((code) => [code.code, code]),
);

/** Length, width and depth measured by hand, in centimetres or millimetres. */
const LENGTHS: readonly string[] = [
  '39126-8',
  '39125-0',
  CLINICIAN_CODES.depthCm.code,
  CLINICIAN_CODES.lengthCm.code,
  CLINICIAN_CODES.widthCm.code,
];
export const EXUDATE_CODE = CLINICIAN_CODES.exudate.code;

/** The amounts of exudate in words, in SNOMED CT. */
export const EXUDATE_AMOUNT: Readonly<Record<string, { readonly code: string; readonly display: string }>> = {
  none: { code: '260413007', display: 'None' },
  light: { code: '255507004', display: 'Small' },
  small: { code: '255507004', display: 'Small' },
  moderate: { code: '6736007', display: 'Moderate' },
  heavy: { code: '255509001', display: 'Large' },
  large: { code: '255509001', display: 'Large' },
};

export function isFindingCode(code: string): boolean {
  return FINDING_CODES.has(code);
}

/** A code of our own; undefined: none of a finding. */
export function ownFindingCode(code: string): Code | undefined {
  return OWN_CODES.get(code.toLowerCase());
}

export function isLengthCode(code: string): boolean {
  return LENGTHS.includes(code);
}

export function findingCodes(): readonly string[] {
  return [...FINDING_CODES];
}

export function ownFindingCodes(): readonly string[] {
  return [...OWN_CODES.keys()];
}

/** The field of the contract whose values the code has; undefined: its values are not coded, or no field's. */
export function codedFieldOf(code: string): CodedField | undefined {
  return (Object.keys(CLINICIAN_VALUES) as CodedField[]).find((field) => CLINICIAN_CODES[field].code === code);
}

/** Of any word or code of the contract, with room for blanks around it. */
const LONGEST_WORD = 1000;

/** The value that a sender's word stands for: our own code, with or without the field before it, or its words. */
export function ownValueOf(field: CodedField, word: string): Code | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  const wanted = word.trim().toLowerCase().replaceAll('_', '-');
  const known = Object.entries<ClinicianValue>(CLINICIAN_VALUES[field]).find(([name, { own }]) =>
    [name.replaceAll('_', '-'), own.code, own.display.toLowerCase()].includes(wanted),
  );
  return known?.[1].own;
}
