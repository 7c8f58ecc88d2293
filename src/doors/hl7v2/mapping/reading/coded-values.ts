import type { CodeableConcept, Coding } from '@medplum/fhirtypes';
import { LOINC, SNOMED, SUTURA, UCUM, WOUND_OBSERVATION } from '../../../../reports/index.js';
import type { Er7Repetition } from '../../../../standards/hl7v2/er7/er7-message.js';
import { keepable, plain, plainCode, definedOnly, type Reading } from './message-reading.js';

/** Table 0396, as far as FHIR has systems for it. */
const CODING_SYSTEMS: Readonly<Record<string, string>> = {
  LN: LOINC,
  LOINC,
  SCT: SNOMED,
  SNM: SNOMED,
  UCUM,
  '99SUT': WOUND_OBSERVATION,
  I10: 'http://hl7.org/fhir/sid/icd-10',
  I10C: 'http://hl7.org/fhir/sid/icd-10-cm',
  I10G: 'http://fhir.de/CodeSystem/bfarm/icd-10-gm',
  I9C: 'http://hl7.org/fhir/sid/icd-9-cm',
};
const TABLE = /^HL7(\d{4})$/;
/** Places of code, text, system and version in CE, CWE and CNE. */
const TRIPLETS = [
  [1, 2, 3, 7],
  [4, 5, 6, 8],
] as const;

/** The FHIR system of a coding system's name; undefined where none is stated. */
export function codeSystemOf({ source }: Pick<Reading, 'source'>, name: string): string | undefined {
  const upper = name.trim().toUpperCase();
  if (upper === '' || upper === 'L') return undefined;
  if (Object.hasOwn(source.systems, name.trim())) return source.systems[name.trim()];
  if (Object.hasOwn(CODING_SYSTEMS, upper)) return CODING_SYSTEMS[upper];
  const table = TABLE.exec(upper)?.[1];
  return table === undefined
    ? `${SUTURA}/sid/hl7v2-codes/${encodeURIComponent(keepable(upper))}`
    : `http://terminology.hl7.org/CodeSystem/v2-${table}`;
}

/** CE, CWE, CNE, IS, ID or plain text as a CodeableConcept; undefined where it is empty. */
export function conceptOf(
  reading: Pick<Reading, 'source'>,
  repetition: Er7Repetition | null | undefined,
): CodeableConcept | undefined {
  if (repetition === null || repetition === undefined) return undefined;
  const coding = TRIPLETS.flatMap((places) => codingOf(reading, repetition, places) ?? []);
  const original = plain(repetition.text(9));
  const text = original ?? (coding.length === 0 ? plain(repetition.text(2)) : undefined);
  const concept = definedOnly<CodeableConcept>({ coding, text });
  return Object.keys(concept).length === 0 ? undefined : concept;
}

export function conceptsOf(reading: Pick<Reading, 'source'>, repetitions: readonly Er7Repetition[]): CodeableConcept[] {
  return repetitions.flatMap((repetition) => conceptOf(reading, repetition) ?? []);
}

/** The codes of a repetition as sent, each `code` with the name of its coding system. */
export function sentCodesOf(
  repetition: Er7Repetition | null | undefined,
): readonly { readonly code: string; readonly system: string }[] {
  if (repetition === null || repetition === undefined) return [];
  return TRIPLETS.flatMap(([code, , system]) =>
    repetition.text(code).trim() === ''
      ? []
      : [{ code: repetition.text(code).trim(), system: repetition.text(system).trim().toUpperCase() }],
  );
}

function codingOf(
  reading: Pick<Reading, 'source'>,
  repetition: Er7Repetition,
  [codeAt, textAt, systemAt, versionAt]: (typeof TRIPLETS)[number],
): Coding | undefined {
  const code = plainCode(repetition.text(codeAt));
  if (code === undefined) return undefined;
  return definedOnly<Coding>({
    system: codeSystemOf(reading, repetition.text(systemAt)),
    code,
    display: plain(repetition.text(textAt), 255),
    version: plain(repetition.text(versionAt), 64),
  }) as Coding;
}
