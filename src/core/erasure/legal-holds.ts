import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';

/** What forbids to erase a patient, by age and on demand. */
export interface LegalHold extends Tenant {
  readonly patientId: string;
  /** A file number or the like. */
  readonly reason: string;
  /** As AuditRecord.keyId. */
  readonly placedBy: string;
  readonly placedAt: Date;
}

export abstract class LegalHolds {
  /** A second one replaces the first. */
  abstract place(transaction: TenantTransaction, hold: Omit<LegalHold, keyof Tenant>): Promise<void>;
  /** False: there was none. Also those of rows that were joined into this one. */
  abstract release(transaction: TenantTransaction, patientId: string): Promise<boolean>;
  /** Of the patient, or of a row that was joined into theirs. */
  abstract isHeld(transaction: TenantTransaction, patientId: string): Promise<boolean>;
  /** Of any patient whose photo it is, or whose report it stands in. */
  abstract holdsImage(imageId: string): Promise<boolean>;
  abstract list(organizationId: string): Promise<LegalHold[]>;
}
