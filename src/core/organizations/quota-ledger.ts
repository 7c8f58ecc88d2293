import type { QuotaUsage } from './quota.js';
import type { Transaction } from '../ports/unit-of-work.js';

export abstract class QuotaLedger {
  /**
   * Charges one analysis to the organization's current UTC day (database clock) if `limit` allows it.
   * The charge lives and dies with the transaction. null: used up, nothing charged.
   */
  abstract charge(transaction: Transaction, organizationId: string, limit: number): Promise<QuotaUsage | null>;
  abstract usage(transaction: Transaction, organizationId: string, limit: number): Promise<QuotaUsage>;
}
