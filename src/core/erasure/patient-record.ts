import type { PatientIdentifier } from '../patients/patient.js';
import type { Tenant } from '../tenancy/tenant.js';

/** Everything of one patient that core files, by ids that this service gave. Ids alone say nothing of a person once their rows are gone. */
export interface PatientRecordIds {
  /** The row that stands, then those that were joined into it. */
  readonly patientIds: readonly string[];
  readonly imageIds: readonly string[];
  readonly jobIds: readonly string[];
  readonly reportIds: readonly string[];
  readonly woundIds: readonly string[];
  readonly requestIds: readonly string[];
}

/** What a person would look the patient up by. */
export interface PatientWords {
  /** Every number that the patient has or had, those included that are kept only. */
  readonly numbers: readonly PatientIdentifier[];
  /** Parts of names, as they were written. */
  readonly names: readonly string[];
}

/** A patient who is being erased. `words` is empty in the second look, which comes when nothing knows them any more. */
export interface ErasedPatient extends PatientRecordIds {
  readonly tenant: Tenant;
  readonly words: PatientWords;
  /** Values of numbers that another patient of the tenant has as well, in whatever numbering: of them alone nothing follows. */
  readonly sharedValues: readonly string[];
  /** Messages that are theirs beyond what the ids and words find: of people whom nobody has announced. */
  readonly messageIds?: readonly string[];
}

/** How much of one kind was removed. */
export interface ErasedRows {
  /** In words for an operator: `photos`, `HL7 v2 messages in`. */
  readonly what: string;
  readonly rows: number;
  /** Of the contents, as far as their size is kept; 0 where it is not. */
  readonly bytes: number;
}

export function idsOfPatient({
  patientIds,
  imageIds,
  jobIds,
  reportIds,
  woundIds,
  requestIds,
}: PatientRecordIds): PatientRecordIds {
  return { patientIds, imageIds, jobIds, reportIds, woundIds, requestIds };
}

/** Both together: one row for each kind, kinds without anything left out. */
export function addCounts(counts: readonly ErasedRows[], more: readonly ErasedRows[]): ErasedRows[] {
  const sums = new Map<string, ErasedRows>();
  for (const { what, rows, bytes } of [...counts, ...more]) {
    const before = sums.get(what);
    sums.set(what, { what, rows: rows + (before?.rows ?? 0), bytes: bytes + (before?.bytes ?? 0) });
  }
  return [...sums.values()].filter(({ rows, bytes }) => rows > 0 || bytes > 0);
}
