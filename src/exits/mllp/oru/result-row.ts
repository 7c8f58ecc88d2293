import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { CodedValue } from '../../../standards/hl7v2/er7/message-writer.js';

/** The value of OBX-5, by OBX-2. Texts are plain; nothing is escaped yet. */
export type RowValue =
  | { readonly type: 'ST' | 'TX' | 'NM'; readonly text: string }
  | { readonly type: 'CWE'; readonly values: readonly CodedValue[] }
  | { readonly type: 'SN'; readonly from: string; readonly to: string | null }
  | { readonly type: 'ED'; readonly kind: readonly [type: string, subtype: string]; readonly base64: string }
  | { readonly type: 'RP'; readonly kind: readonly [type: string, subtype: string]; readonly url: string };

/** Values used of table 0085. */
export type RowStatus = 'P' | 'F' | 'C' | 'D' | 'W' | 'X';

/** One OBX without its position and status. */
export interface ResultRow {
  readonly code: CodedValue;
  /** OBX-4: `1` for the wound, `1.n` for its n-th tissue, from 1.101 on for entries of a clinician's lists. */
  readonly subId: string;
  readonly type: RowValue['type'];
  /** null: it could not be measured. */
  readonly value: RowValue | null;
  readonly unit: CodedValue | null;
  /** OBX-8; "" where it is empty. */
  readonly interpretation: 'B' | 'W' | '';
  /** OBX-17; null where nothing was measured. */
  readonly method: CodedValue | null;
  /** `name/version` of the model, OBX-18. */
  readonly model: string | null;
  /** OBX-19. */
  readonly analysedAt: Date | null;
  /** OBX-14, of a value that was stated on another day than the photo's (`ClinicalTime`); absent: the photo's. */
  readonly statedAt?: string;
  /** A person is responsible for the value: OBX-16 names the reviewer. */
  readonly observed: boolean;
}

/** A row with its status. */
export interface JudgedRow {
  readonly row: ResultRow;
  readonly status: RowStatus;
}

/** The key of a row, the same in every version of a report. */
export function identityOf({ code, subId }: ResultRow): string {
  return `${code.code}|${code.system ?? ''}|${subId}`;
}

/** Whether two rows have the same value and origin, so that a receiver need not act. */
function isSame(a: ResultRow, b: ResultRow): boolean {
  const sentOf = ({ type, value, unit, interpretation, method, model, statedAt }: ResultRow) =>
    JSON.stringify([type, value, unit, interpretation, method, model, statedAt]);
  return sentOf(a) === sentOf(b);
}

/** A receiver may have taken this version as final, so that the next one is a correction. */
export function isFinal({ status }: Pick<ClinicalReport, 'status'>): boolean {
  return status !== 'preliminary';
}

/**
 * The status of every row of a version. `before`: rows of the previous version, if final; null: nothing to correct. Removed rows are resent with status D.
 */
export function judgeRows(
  rows: readonly ResultRow[],
  status: 'P' | 'F',
  before: readonly ResultRow[] | null,
): JudgedRow[] {
  const known = new Map((before ?? []).map((row) => [identityOf(row), row]));
  const present = new Set(rows.map(identityOf));
  const judged = rows.map((row): JudgedRow => {
    if (row.value === null) return { row, status: 'X' };
    if (before === null) return { row, status };
    const former = known.get(identityOf(row));
    return { row, status: former !== undefined && isSame(former, row) ? status : 'C' };
  });
  const gone = (before ?? [])
    .filter((row) => !present.has(identityOf(row)))
    .map((row): JudgedRow => ({ row, status: 'D' }));
  return [...judged, ...gone];
}

/** Every row of a withdrawn result. */
export function withdrawRows(rows: readonly ResultRow[], status: 'D' | 'W'): JudgedRow[] {
  return rows.map((row) => ({ row, status }));
}

/** Whether the rows change a final result, so that OBR-25 is C. */
export function isCorrection(rows: readonly JudgedRow[], before: readonly ResultRow[] | null): boolean {
  if (before === null) return false;
  const known = new Map(before.map((row) => [identityOf(row), row]));
  return rows.some(
    ({ row, status }) =>
      status === 'C' || status === 'D' || (status === 'X' && (known.get(identityOf(row))?.value ?? null) !== null),
  );
}
