import type { TenantTransaction, SystemTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';

/** Bytes that came with a message and are no photo, such as a letter as PDF: kept and handed out, never looked into. */
export interface Attachment extends Tenant {
  readonly id: string;
  readonly status: 'staged' | 'stored';
  /** As the sender named it. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Hex, lower case. */
  readonly sha256: string;
  readonly objectKey: string;
  readonly createdAt: Date;
}

export abstract class AttachmentRepository {
  abstract insert(transaction: TenantTransaction, attachment: Attachment): Promise<void>;
  /** null for unknown, malformed, foreign. */
  abstract find(transaction: TenantTransaction, id: string): Promise<Attachment | null>;
  /** staged → stored. False where it is not there any more. */
  abstract markStored(transaction: TenantTransaction, id: string): Promise<boolean>;
  /** Staged ones that were made before; their rows stay locked. Only in a system transaction. */
  abstract findForgotten(transaction: SystemTransaction, olderThanS: number, limit: number): Promise<Attachment[]>;
  /** False where it is not staged (any more): nothing was removed. Only in a system transaction. */
  abstract remove(transaction: TenantTransaction, id: string): Promise<boolean>;
}
