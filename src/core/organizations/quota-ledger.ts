import type { Transaction } from '../ports/unit-of-work.js';
import type { Plan } from './organization.js';
import type { QuotaUsage } from '../tenancy/quota-usage.js';

/** The treatment of an analysis beyond the quota: it waits until the quota returns, or its request is refused. */
export type QuotaPolicy = 'wait' | 'refuse';

/** Shares of a day's quota, in %, that are reported when reached. */
export const QUOTA_THRESHOLDS_PCT = [80, 100] as const;

/** The analyses of a day with which a share of the quota is reached. */
export function thresholdOf({ limit }: Pick<QuotaUsage, 'limit'>, sharePct: number): number {
  return Math.ceil((limit * sharePct) / 100);
}

export abstract class QuotaLedger {
  /**
   * Charges one analysis to the organization's current UTC day (database clock) if its own limit, else that of its plan, allows it.
   * The charge lives and dies with the transaction. null: used up or no such organization, nothing charged.
   */
  abstract charge(
    transaction: Transaction,
    organizationId: string,
    perDay: Readonly<Record<Plan, number>>,
  ): Promise<QuotaUsage | null>;
  abstract usage(transaction: Transaction, organizationId: string, limit: number): Promise<QuotaUsage>;
  /** Analyses that were charged to a UTC day (`2026-03-14`). */
  abstract usedOn(transaction: Transaction, organizationId: string, day: string): Promise<number>;
}
