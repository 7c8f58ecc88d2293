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
  /** Nobody is announced by this value, in any numbering, before the transaction ends. */
  abstract claimValue(transaction: TenantTransaction, value: string): Promise<void>;
  /** The systems that numbers of these are kept by, after the table of authorities, in their order. */
  abstract keptSystems(transaction: TenantTransaction, systems: readonly string[]): Promise<readonly string[]>;
  /** The systems in which the patient has this value. */
  abstract systemsOf(transaction: TenantTransaction, patientId: string, value: string): Promise<readonly string[]>;
  /** Whether a patient has the very number, or an analysis, an order or a wound is of it. */
  abstract isFiledUnder(transaction: TenantTransaction, number: PatientIdentifier): Promise<boolean>;
  /** Whether all of these photos that there are are nobody’s, and none was analysed or is to be. They are held until the transaction ends. */
  abstract areNobodys(transaction: TenantTransaction, photoIds: readonly string[]): Promise<boolean>;
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
