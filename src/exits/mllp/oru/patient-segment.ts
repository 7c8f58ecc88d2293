import type { HumanName, Patient } from '@medplum/fhirtypes';
import { isAtLeastVersion, type MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import { authorityOf, type Authorities } from '../settings/authorities.js';

/** The patient of a result. */
export interface ResultPatient {
  /** PID of the order, raw; "" where there is none, or it is of another patient. */
  readonly receivedPid: string;
  /** The patient's record; null: only an identifier is known. */
  readonly record: Patient | null;
  /** The identifier that the caller gave. */
  readonly identifier: { readonly system: string; readonly value: string } | null;
}

/**
 * The last field that is repeated: identifiers, names, birth date and sex. A result has no need of addresses and
 * telephone numbers.
 */
const LAST_REPEATED = 8;
/** PID-2 and PID-4, alternate ids, which 2.7 withdrew. */
const WITHDRAWN = [2, 4];
/** Type of an identifier without a stated one. */
const PATIENT_ID = 'PI';
const SEX: Readonly<Record<NonNullable<Patient['gender']>, string>> = {
  male: 'M',
  female: 'F',
  other: 'O',
  unknown: 'U',
};
const IDENTIFIER_TYPE = 'http://terminology.hl7.org/CodeSystem/v2-0203';

/** PID; null without an identifier: such a result is not sent. */
export function toPatientSegment(
  writer: MessageWriter,
  { receivedPid, record, identifier }: ResultPatient,
  authorities: Authorities,
): string | null {
  if (receivedPid !== '') return repeatedPid(writer, receivedPid);
  const known = record === null ? [] : identifiersOf(writer, record, authorities);
  const ids = known.length > 0 || identifier === null ? known : [idOf(writer, identifier, PATIENT_ID, authorities)];
  if (ids.length === 0) return null;
  return writer.segment('PID', {
    1: '1',
    3: writer.repetitions(...ids),
    5: nameOf(writer, record?.name?.find(({ use }) => use === 'official') ?? record?.name?.[0]),
    7: (record?.birthDate ?? '').replaceAll('-', ''),
    8: record?.gender === undefined ? '' : SEX[record.gender],
  });
}

/** Values in PID-3 of a raw segment. */
export function idsOfPid(pid: string): string[] {
  return (pid.split('|')[3] ?? '')
    .split('~')
    .map((repetition) => repetition.split('^')[0]!)
    .filter((value) => value !== '');
}

function repeatedPid(writer: MessageWriter, pid: string): string {
  const fields = pid.split('|');
  const withdrawn = isAtLeastVersion(writer.versionId, '2.7') ? WITHDRAWN : [];
  const kept = fields
    .slice(1, LAST_REPEATED + 1)
    .map((field, index) => [index + 1, withdrawn.includes(index + 1) ? '' : field] as const);
  return writer.segment('PID', { ...Object.fromEntries(kept), 1: '1', 5: fields[5] || unknownName(writer) });
}

function identifiersOf(writer: MessageWriter, record: Patient, authorities: Authorities): string[] {
  const standing = (record.identifier ?? []).filter(({ use, value }) => use !== 'old' && value !== undefined);
  return standing.map(({ system, value, type }) => {
    const stated = type?.coding?.find((coding) => coding.system === IDENTIFIER_TYPE)?.code;
    return idOf(writer, { system: system ?? '', value: value! }, stated ?? PATIENT_ID, authorities);
  });
}

/** CX. */
function idOf(
  writer: MessageWriter,
  { system, value }: { readonly system: string; readonly value: string },
  type: string,
  authorities: Authorities,
): string {
  return writer.components(writer.text(value), '', '', authorityOf(writer, system, authorities), writer.text(type));
}

/** PID-5 is required: a name of the type U, unspecified. */
function unknownName(writer: MessageWriter): string {
  return writer.components('', '', '', '', '', '', 'U');
}

/** XPN; a name that is text alone becomes the family name. */
function nameOf(writer: MessageWriter, name: HumanName | undefined): string {
  const family = name?.family ?? name?.text;
  if (family === undefined) return unknownName(writer);
  const [given = '', ...further] = name?.given ?? [];
  return writer.components(writer.text(family), writer.text(given), writer.text(further.join(' ')), '', '', '', 'L');
}
