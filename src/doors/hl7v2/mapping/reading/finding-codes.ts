import {
  CLINICIAN_CODES,
  CLINICIAN_VALUES,
  type Code,
  type CodedField,
  type ClinicianValue,
} from '../../../../reports/index.js';

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

export function isLengthCode(code: string): boolean {
  return LENGTHS.includes(code);
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
