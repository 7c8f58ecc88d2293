import type { AuditedDoor } from '../audit/access.js';
import type { ErrorCode } from '../errors/catalogue.js';
import type { SystemTransaction, TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { ErasedRows, PatientRecordIds } from './patient-record.js';

/** asked → rows_erased → done. Each step ends with its commit, from which another process continues after a crash. */
export type ErasureState = 'asked' | 'rows_erased' | 'done';

/** One erasure, as it is kept for good: ids, counts and times, no word of the patient. */
export interface PatientErasureRecord extends Tenant {
  readonly id: string;
  /** The former id of the patient: its pseudonym in the audit trail. */
  readonly patientId: string;
  readonly state: ErasureState;
  /** As AuditRecord.keyId. */
  readonly askedBy: string;
  readonly askedThrough: AuditedDoor;
  readonly askedAt: Date;
  /** null before the rows are gone. */
  readonly record: PatientRecordIds | null;
  /** Folders of the object store that are still to be emptied. */
  readonly folders: readonly string[];
  readonly counts: readonly ErasedRows[];
  readonly leftMessages: readonly string[];
  readonly rowsErasedAt: Date | null;
  readonly completedAt: Date | null;
  /** What the last try was refused with; it is tried again by itself. null: nothing hinders it, or it is done. */
  readonly waitsFor: ErrorCode | null;
  /** Of the try that was refused; null: none was. */
  readonly triedAt: Date | null;
}

/** The erasures that are not done and wait for the same thing. */
export interface ErasureBacklog {
  /** null: for nothing that is known. */
  readonly waitsFor: ErrorCode | null;
  readonly erasures: number;
  /** Seconds since the oldest of them was asked for. */
  readonly oldestS: number;
}

/** The row of the audit trail that says that an erasure is done, and the seal that it is in. */
export interface ErasureSeal {
  readonly auditId: string;
  readonly number: number;
  /** Hex. */
  readonly hash: string;
}

export type RowsErased = Pick<PatientErasureRecord, 'record' | 'folders' | 'counts' | 'leftMessages'>;

export abstract class PatientErasureRepository {
  abstract insert(
    transaction: TenantTransaction,
    erasure: Pick<PatientErasureRecord, 'id' | 'patientId' | 'askedBy' | 'askedThrough' | 'askedAt'>,
    leaseS: number,
  ): Promise<void>;
  /** The one that is not done yet; null: none. */
  abstract unfinishedOf(transaction: TenantTransaction, patientId: string): Promise<PatientErasureRecord | null>;
  abstract find(id: string): Promise<PatientErasureRecord | null>;
  /** Locked until the transaction ends; null: unknown, or locked by another. */
  abstract take(transaction: SystemTransaction, id: string): Promise<PatientErasureRecord | null>;
  abstract rowsErased(transaction: TenantTransaction, id: string, erased: RowsErased, leaseS: number): Promise<void>;
  /** Samples anew the tables that rows went from, whose statistics still quote them. To be called before `done`. */
  abstract forgetSamples(transaction: SystemTransaction, id: string): Promise<void>;
  /** Once the row of the audit trail that says so is written. */
  abstract done(transaction: TenantTransaction, id: string, counts: readonly ErasedRows[]): Promise<void>;
  /** It cannot go on, and is tried again after `retryS` seconds. */
  abstract waits(id: string, code: ErrorCode, retryS: number): Promise<void>;
  /** Ids of unfinished ones that are not claimed, the longest waiting first. */
  abstract unfinished(limit: number): Promise<string[]>;
  abstract backlog(): Promise<ErasureBacklog[]>;
  /** null before its last row is sealed. */
  abstract sealOf(id: string): Promise<ErasureSeal | null>;
  /** Newest first. */
  abstract list(organizationId: string, limit: number): Promise<PatientErasureRecord[]>;
}
