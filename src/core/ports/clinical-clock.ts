import type { ClinicalTimeline } from '../times/clinical-timeline.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { TenantTransaction } from './unit-of-work.js';

/**
 * The time by which clinical records go: when a photo was taken that does not say so, when a report was issued or a decision made, whether a time
 * lies ahead. In live it is real time. In the test environment an organization can move it ahead (SandboxClock). Whatever protects or accounts
 * (signatures, tokens, leases, quotas, the trail) asks `Clock`.
 */
export abstract class ClinicalClock {
  /** The process's own clock, for what stands beside clinical times and does not follow them. */
  abstract realNow(): Date;
  abstract now(transaction: TenantTransaction): Promise<Date>;
  /** Outside of a transaction. */
  abstract nowOf(tenant: Tenant): Promise<Date>;
  /** What turns real times of rows into clinical ones. */
  abstract timeline(transaction: TenantTransaction): Promise<ClinicalTimeline>;
  /** Outside of a transaction. */
  abstract timelineOf(tenant: Tenant): Promise<ClinicalTimeline>;
}
