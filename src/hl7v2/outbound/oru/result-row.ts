import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import type { CodedValue } from '../../er7/message-writer.js';

/** What OBX-5 holds, by OBX-2. Texts are plain; nothing is escaped yet. */
export type RowValue =
  | { readonly type: 'ST' | 'TX' | 'NM'; readonly text: string }
  | { readonly type: 'CWE'; readonly values: readonly CodedValue[] }
  | { readonly type: 'ED'; readonly kind: readonly [type: string, subtype: string]; readonly base64: string }
  | { readonly type: 'RP'; readonly kind: readonly [type: string, subtype: string]; readonly url: string };

/** Table 0085, as far as it is used. */
export type RowStatus = 'P' | 'F' | 'C' | 'D' | 'W' | 'X';

/** One OBX before it has its place and status. */
export interface ResultRow {
  readonly code: CodedValue;
  /** OBX-4: `1` for the wound, `1.n` for its n-th tissue. */
  readonly subId: string;
  readonly type: RowValue['type'];
  /** null: could not be measured. */
  readonly value: RowValue | null;
  readonly unit: CodedValue | null;
  /** OBX-8; "" where nothing is to be said. */
  readonly interpretation: 'B' | 'W' | '';
  /** OBX-17; null where nothing was measured. */
  readonly method: CodedValue | null;
  /** `name/version` of the model, OBX-18. */
  readonly model: string | null;
  /** OBX-19. */
  readonly analysedAt: Date | null;
  /** A person answers for the value: OBX-16 names the reviewer. */
  readonly observed: boolean;
}

/** A row with its status. */
export interface JudgedRow {
  readonly row: ResultRow;
  readonly status: RowStatus;
}

/** The same thing in every version of a report. */
export function identityOf({ code, subId }: ResultRow): string {
  return `${code.code}|${code.system ?? ''}|${subId}`;
}

/** Whether a receiver would have to act: another value, or the same one from another hand. */
function isSame(a: ResultRow, b: ResultRow): boolean {
  const told = ({ type, value, unit, interpretation, method, model }: ResultRow) =>
    JSON.stringify([type, value, unit, interpretation, method, model]);
  return told(a) === told(b);
}

/** A receiver may have taken it for the last word: what follows is a correction. */
export function isFinal({ status }: Pick<ClinicalReport, 'status'>): boolean {
  return status !== 'preliminary';
}

/**
 * The status of every row of a version (4.6). `before`: the rows of the version before, where that was final; null: there is none to correct.
 * A row that is gone is sent once more, as it was, with D.
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

/** Every row of a result that no longer stands. */
export function withdrawRows(rows: readonly ResultRow[], status: 'D' | 'W'): JudgedRow[] {
  return rows.map((row) => ({ row, status }));
}

/** True where a final result is changed by these rows: OBR-25 says C. */
export function isCorrection(rows: readonly JudgedRow[], before: readonly ResultRow[] | null): boolean {
  if (before === null) return false;
  const known = new Map(before.map((row) => [identityOf(row), row]));
  return rows.some(
    ({ row, status }) =>
      status === 'C' || status === 'D' || (status === 'X' && (known.get(identityOf(row))?.value ?? null) !== null),
  );
}
