import type { Attachment } from './attachment.js';
import type { TenantTransaction, SystemTransaction } from '../ports/unit-of-work.js';

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
