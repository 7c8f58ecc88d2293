import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { AuditBreak } from './audit-log.js';

/**
 * writing → kept → emptied. `kept`: the file was read back and holds the seals, whose rows may still be in the database; `emptied`: they are not. Each
 * step ends with its commit, so that a process that dies leaves the rows, the rows and the file, or the file.
 */
export type AuditArchiveState = 'writing' | 'kept' | 'emptied';

/** Sealed rows of one chain as a file of the object store, in the format of an export. */
export interface AuditArchive extends Tenant {
  readonly id: string;
  readonly state: AuditArchiveState;
  /** Numbers of the first and the last seal. */
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  /** Of the last seal, hex. */
  readonly hash: string;
  /** When the first and the last of its rows were written. */
  readonly oldestAt: Date;
  readonly newestAt: Date;
  readonly objectKey: string;
  /** Of the file, hex; null while it is written. */
  readonly sha256: string | null;
  readonly bytes: number;
}

/** A file as it was read back. */
export interface ArchiveFile {
  readonly objectKey: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A row of an archive whose words are taken out: its digests, as an erasure accounts for them. */
export interface ArchivedRedaction {
  readonly rowId: string;
  /** Hex; of what stands there now, and of what was sealed. */
  readonly contentDigest: string;
  readonly sealedDigest: string;
}

export interface ArchiveRequest {
  readonly id: string;
  readonly objectKey: string;
  /** Rows before this go. */
  readonly before: Date;
  /** Unless a single seal has more. */
  readonly mostRows: number;
  /** Seconds for which the writer has it to itself. */
  readonly leaseS: number;
}

/** Which seals lie in which file. */
export abstract class AuditArchiveRegistry {
  /** Those that are kept, of each chain in its order. */
  abstract list(filter: Partial<Tenant>): Promise<AuditArchive[]>;
  /** The next seals of the chain; null: none is old enough, a patient is on legal hold, an erasure is in progress, or another process archives. */
  abstract begin(tenant: Tenant, request: ArchiveRequest): Promise<AuditArchive | null>;
  /** False: the lease expired, and another process may have started. */
  abstract keep(transaction: TenantTransaction, id: string, file: ArchiveFile): Promise<boolean>;
  /** Removes rows that lie in a kept archive, at most `limit`. 0: all are gone; null: the others stay, as a patient is on legal hold or the organization keeps them longer by now. */
  abstract dropRows(id: string, limit: number): Promise<number | null>;
  /** Those of a writer that is gone. */
  abstract abandoned(): Promise<AuditArchive[]>;
  /** Of one that is still written. */
  abstract forget(id: string): Promise<void>;
  /** Keeps writers out until the transaction ends; `patient.in_use` while one is at work. The archives that are kept. */
  abstract hold(transaction: TenantTransaction): Promise<AuditArchive[]>;
  /** The file in whose place a redacted one stands now. */
  abstract replace(
    transaction: TenantTransaction,
    archive: AuditArchive,
    file: ArchiveFile,
    erasureId: string,
    redactions: readonly ArchivedRedaction[],
  ): Promise<void>;
}

/** What a sweep moved. */
export interface ArchivedRows {
  readonly rows: number;
  /** Of the files. */
  readonly bytes: number;
}

/** A row of an archive, as an erasure looks at it. */
export interface ArchivedText {
  readonly id: string;
  readonly door: string;
  readonly interaction: string;
  readonly patientId: string | null;
  readonly query: string | null;
  readonly resources: readonly string[];
}

/** What is to stand in the place of its words; null: it stays. */
export type Redact = (row: ArchivedText) => Pick<ArchivedText, 'query' | 'resources'> | null;

/** Files of old rows, and their way there. */
export abstract class AuditArchives {
  /** Moves sealed rows that are older into archives, and then out of the database. Goes on with what a stop interrupted. */
  abstract sweep(tenant: Tenant, before: Date): Promise<ArchivedRows>;
  /** The text of one. Throws for one that is not what was written. */
  abstract read(archive: AuditArchive): Promise<Uint8Array>;
  /** Reads every archive: whether it is there, whole, signed, and leads to what the database and the kept heads go on from. */
  abstract check(): Promise<{ readonly rows: number; readonly seals: number; readonly breaks: readonly AuditBreak[] }>;
  /**
   * Takes words out of archived rows: writes each file anew and names the old one's folder, which goes once the transaction is committed. `erasureId`
   * null: only counts.
   */
  abstract redact(
    transaction: TenantTransaction,
    redact: Redact,
    erasureId: string | null,
  ): Promise<{ readonly rows: number; readonly folders: readonly string[] }>;
}
