import type { PatientIdentifier } from '../patients/patient.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ErasedRows, ErasedPatient, PatientRecordIds, PatientWords } from './patient-record.js';

/** What core's own records lose by an erasure. */
export interface RecordsErasure {
  readonly counts: readonly ErasedRows[];
  /** Folders of the object store whose rows are gone. */
  readonly folders: readonly string[];
}

/** A row of the audit trail that may repeat a patient's words. */
export interface TypedText {
  readonly id: string;
  readonly query: string | null;
  readonly resources: readonly string[];
  /** A search that answered with data of the patient: whatever it asked for was about them. */
  readonly isOwn: boolean;
}

export interface TypedTextsWanted {
  readonly patient: ErasedPatient;
  /** Sequences of letters and digits in lower case; a row may be among the answers that has none of them. */
  readonly needles: readonly string[];
  readonly after: string;
  readonly limit: number;
}

/** Core's own records of one patient, for the erasure alone. */
export abstract class PatientRecords {
  /** The rows that stand with this number, in any numbering unless `system` is given; several patients may have it. */
  abstract carriers(
    transaction: TenantTransaction,
    number: { readonly value: string; readonly system?: string | undefined },
  ): Promise<string[]>;
  /** What is read from here on in this transaction may take longer than callers wait. */
  abstract takeTime(transaction: TenantTransaction): Promise<void>;
  /** A record for a number that nobody has announced, so that all that came under it goes with it. Nothing goes on because of it. `patient.in_use` while they are announced. */
  abstract register(transaction: TenantTransaction, number: PatientIdentifier, newId: string): Promise<string>;
  /** The row that stands for this id; null: unknown, malformed, foreign. */
  abstract standing(transaction: TenantTransaction, patientId: string): Promise<string | null>;
  /**
   * Locks the rows until the transaction ends, so that nothing new is filed under them, and returns them. `photos`: further ones, where nobody has them.
   */
  abstract gather(
    transaction: TenantTransaction,
    patientId: string,
    photos?: readonly string[],
  ): Promise<PatientRecordIds & PatientWords>;
  /**
   * What is filed with one analysis that names no patient, held until the transaction ends: its photo too where no other analysis shows it and no patient has it.
   * null: unknown, not ended, or a patient has it by now.
   */
  abstract gatherUnnamed(transaction: TenantTransaction, jobId: string): Promise<PatientRecordIds | null>;
  /** True while an analysis runs, or a recent event is not handled yet. */
  abstract isInUse(transaction: TenantTransaction, patient: PatientRecordIds): Promise<boolean>;
  /**
   * Removes jobs, reports, wounds, photos, orders, kept answers and attachments. A photo that was reassigned and stands with another patient stays
   * theirs, without a word of this one. Counts of use stay.
   */
  abstract remove(
    transaction: TenantTransaction,
    patient: ErasedPatient,
    attachmentIds: readonly string[],
  ): Promise<RecordsErasure>;
  /** Those of the values that another patient has as a number, in whatever numbering. */
  abstract sharedValues(
    transaction: TenantTransaction,
    values: readonly string[],
    patientIds: readonly string[],
  ): Promise<readonly string[]>;
  /** Rows of the tenant's audit trail, and of the service's own, by their ids. */
  abstract typedTexts(transaction: TenantTransaction, wanted: TypedTextsWanted): Promise<TypedText[]>;
  /** Puts other words in the place of typed ones. Each row keeps the digest that it was sealed with, and names the erasure. */
  abstract redact(transaction: TenantTransaction, erasureId: string, texts: readonly TypedText[]): Promise<void>;
  /** One digest of all rows that the erasure changed, as they are now, hex; null: it changed none. */
  abstract redactedDigest(transaction: TenantTransaction, erasureId: string): Promise<string | null>;
}
