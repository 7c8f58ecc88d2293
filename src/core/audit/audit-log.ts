import type { Tenant } from '../tenancy/tenant.js';
import type { AuditRecord } from './access.js';
import type { SealedBlock } from './audit-export.js';

export interface AuditFilter extends Partial<Tenant> {
  /** The id of the patient, or a number that the patient is known by. */
  readonly patient?: string | undefined;
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
  /** A key, client or person, as rows name them; of a user of the admin API also the bare name. */
  readonly agent?: string | undefined;
  /** True: what was refused alone; false: what was done alone. */
  readonly refused?: boolean | undefined;
}

/** Whole seals; `first` and `last`: their numbers, both included. */
export interface BlockFilter extends Partial<Tenant> {
  readonly first?: number | undefined;
  readonly last?: number | undefined;
}

/** A break in the chain of one tenant. */
export interface AuditBreak extends Tenant {
  /** The seal that does not fit, or null for rows that no seal covers though they should be. `end_cut_off`: the chain does not reach the anchored head; `anchor_changed`: the anchor was altered; `archive_missing`, `archive_changed`: the file that the seal lies in is not there, or is not what was written; `redaction_not_accounted`: words were taken out of rows, and no erasure says so, or others stand there now; `row_removed_unsealed`: the process that wrote it missed a row that no seal had yet. */
  readonly seal: number | null;
  readonly reason:
    | 'row_changed_or_missing'
    | 'seal_changed_or_missing'
    | 'row_not_sealed'
    | 'row_removed_unsealed'
    | 'end_cut_off'
    | 'anchor_changed'
    | 'redaction_not_accounted'
    | 'archive_missing'
    | 'archive_changed';
}

export interface AuditVerdict {
  readonly rows: number;
  readonly seals: number;
  readonly breaks: readonly AuditBreak[];
}

/** The trail for the operator, over all tenants. */
export abstract class AuditLog {
  /** Newest first, those before the row `before` where one is given. */
  abstract list(filter: AuditFilter, limit: number, before: string | null): Promise<AuditRecord[]>;
  /** Chains the rows that are not sealed yet, per tenant: each seal holds the hash of the one before. The heads go to AuditAnchor. Returns how many. */
  abstract seal(): Promise<number>;
  /** What is in the database: see TrailCheck for the whole. */
  abstract verify(): Promise<AuditVerdict>;
  /** What is sealed and not in an archive, of one tenant after the other and in the order of each chain. */
  abstract blocks(filter: BlockFilter): AsyncIterable<SealedBlock>;
}
