import type { Observation } from '@medplum/fhirtypes';
import { FINDING_CODES, FINDING_LOINC, LOINC } from '../../../../reports/index.js';
import { attachmentsOf, type RowAttachment } from './attachments.js';
import { mappedCodeOf, tableCodeOf } from './code-maps.js';
import { codeSystemOf, sentCodesOf } from './coded-values.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { fileTypeOf } from '../../../../standards/hl7v2/er7/encapsulated-data.js';
import { placeIn, type Reading } from './message-reading.js';
import type { ObservationRow } from './order-groups.js';

/** Codes in OBX-3 of facts about the wound itself. */
export const WOUND_FACTS = ['wound-id', 'wound-site', 'wound-side', 'wound-type', 'wound-closing'] as const;
export type WoundFact = (typeof WOUND_FACTS)[number];
/** Code in OBX-3 of where in the photo the wound lies. */
export const WOUND_REGION = 'wound-region';
/** Code in OBX-3 of what was done to the wound. */
export const WOUND_EVENT = 'wound-event';

/** Table 0085; null: the row has nothing to take over. */
const RESULT_STATUS: Readonly<Record<string, Observation['status'] | null>> = {
  F: 'final',
  P: 'preliminary',
  C: 'corrected',
  A: 'amended',
  R: 'preliminary',
  S: 'preliminary',
  U: 'final',
  V: 'final',
  B: 'amended',
  I: null,
  N: null,
  O: null,
  X: null,
  D: null,
  W: null,
};

export const RESULT_STATUSES: readonly string[] = Object.keys(RESULT_STATUS);

/** Of those without a result, the ones under which senders put a photo: it is there, whatever they say of a result. */
const BRINGS_FILES: readonly string[] = ['O', 'I', 'N'];
const NOT_TAKEN_BACK =
  'A photo cannot be withdrawn, or sent as wrong or not obtained, by OBX-11. Send MDM^T11, or leave the row out.';

interface Sorted extends ObservationRow {
  readonly status: Observation['status'];
  /** The wound of the message that the row describes: the number before the point in OBX-4; "" where it names none. */
  readonly subject: string;
}

export type SortedRow = Sorted &
  (
    | { readonly kind: 'file'; readonly attachments: readonly RowAttachment[] }
    | { readonly kind: 'fact'; readonly fact: WoundFact }
    | { readonly kind: 'region' }
    | { readonly kind: 'event' }
    | { readonly kind: 'finding'; readonly system: string; readonly code: string }
  );

export type EventRow = SortedRow & { readonly kind: 'event' };
export type FindingRow = SortedRow & { readonly kind: 'finding' };

/**
 * Sorts the rows of an order by kind. Rows that are not taken over become warnings; rows that lack something required
 * refuse the message.
 */
export function sortRows(reading: Reading, rows: readonly ObservationRow[]): SortedRow[] {
  return rows.flatMap((row) => sortRow(reading, row) ?? []);
}

function sortRow(reading: Reading, row: ObservationRow): SortedRow | null {
  const { obx } = row;
  const { draft } = reading;
  const codes = codesOf(reading, obx);
  if (codes.length === 0) draft.refuse('field.required', placeIn(obx, 3), 'OBX-3 says what was observed.');
  const status = statusOf(reading, row);
  if (codes.length === 0 || status === 'refused') return null;
  const isFile = fileTypeOf(obx, reading.message.delimiters) !== null;
  if (isFile && (status !== null || BRINGS_FILES.includes(statusCodeOf(reading, obx))))
    return {
      ...row,
      status: status ?? 'final',
      subject: subjectOf(row),
      kind: 'file',
      attachments: attachmentsOf(reading, row),
    };
  if (status === null && isFile && attachmentsOf(reading, row).some(({ kind }) => kind === 'image'))
    return draft.refuse('code.unknown', placeIn(obx, 11), NOT_TAKEN_BACK);
  if (status === null)
    return isUntaken(reading, row)
      ? draft.warn(
          'finding.kept',
          placeIn(obx, 11),
          'The row states no result that could be taken over. It stays in the raw message.',
        )
      : null;
  const sorted: Sorted = { ...row, status, subject: subjectOf(row) };
  const fact = WOUND_FACTS.find((name) => isCoded(codes, name));
  if (fact !== undefined) return { ...sorted, kind: 'fact', fact };
  if (isCoded(codes, WOUND_REGION)) return { ...sorted, kind: 'region' };
  if (isCoded(codes, WOUND_EVENT)) return { ...sorted, kind: 'event' };
  const finding = findingCodeOf(reading, codes);
  return finding === null ? draft.warn('finding.kept', placeIn(obx, 3)) : { ...sorted, kind: 'finding', ...finding };
}

function isCoded(codes: ReturnType<typeof sentCodesOf>, name: string): boolean {
  return codes.some(({ code, system }) => code.toLowerCase() === name && isLocal(system));
}

function subjectOf({ obx }: ObservationRow): string {
  return obx.field(4).text.trim().split('.')[0] ?? '';
}

/** A status without a result, in a row with a value. */
function isUntaken(reading: Reading, { obx }: ObservationRow): boolean {
  return obx.field(5).state === 'valued' && statusCodeOf(reading, obx) !== 'O';
}

function statusCodeOf({ source }: Reading, obx: Er7Segment): string {
  return tableCodeOf(source.codes, 'OBX-11', obx);
}

/** The codes of OBX-3; first the one that this listener reads them as. */
function codesOf({ source }: Reading, obx: Er7Segment): ReturnType<typeof sentCodesOf> {
  const sent = sentCodesOf(obx.field(3).repetitions[0]);
  const read = mappedCodeOf(source.codes, 'OBX-3', obx);
  return read === undefined ? sent : [{ code: read, system: FINDING_LOINC.has(read) ? 'LN' : '' }, ...sent];
}

function statusOf(reading: Reading, { obx }: ObservationRow): Observation['status'] | null | 'refused' {
  const { draft } = reading;
  const code = statusCodeOf(reading, obx);
  if (code === '') draft.refuse('field.required', placeIn(obx, 11), 'OBX-11 says how far the observation has come.');
  else if (!Object.hasOwn(RESULT_STATUS, code))
    draft.refuse('code.unknown', placeIn(obx, 11), 'OBX-11 is not one of table 0085.');
  else return RESULT_STATUS[code]!;
  return 'refused';
}

function findingCodeOf(
  reading: Reading,
  codes: ReturnType<typeof sentCodesOf>,
): { readonly system: string; readonly code: string } | null {
  for (const { code, system } of codes) {
    const own = isLocal(system) ? FINDING_CODES.get(code.toLowerCase()) : undefined;
    if (own !== undefined) return { system: own.system, code: own.code };
    if (codeSystemOf(reading, system) === LOINC && FINDING_LOINC.has(code)) return { system: LOINC, code };
  }
  return null;
}

/** Codes that senders agree on with us have no system, or one of their own. */
function isLocal(system: string): boolean {
  return system === '' || system === 'L' || system.startsWith('99');
}
