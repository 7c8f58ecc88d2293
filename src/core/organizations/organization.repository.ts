import type { Organization } from './organization.js';
import type { Transaction } from '../ports/unit-of-work.js';

export type OrganizationChange = Partial<
  Pick<
    Organization,
    | 'name'
    | 'plan'
    | 'dailyLimitOverride'
    | 'resultPolicy'
    | 'autoAnalyze'
    | 'unservedTypes'
    | 'imageHosts'
    | 'reviewFrameOrigins'
    | 'browserOrigins'
    | 'deliveryNetworks'
    | 'timeZone'
    | 'unmatchedAfterMinutes'
  >
>;

export abstract class OrganizationRepository {
  abstract insert(transaction: Transaction, organization: Organization): Promise<void>;
  /** What pages may call which organization; of those that let some. */
  abstract listBrowserOrigins(transaction: Transaction): Promise<Pick<Organization, 'id' | 'browserOrigins'>[]>;
  abstract list(transaction: Transaction): Promise<Organization[]>;
  abstract find(transaction: Transaction, organizationId: string): Promise<Organization | null>;
  /** As find, and holds the row until the transaction ends, so that key limits are counted one after another. */
  abstract findForUpdate(transaction: Transaction, organizationId: string): Promise<Organization | null>;
  abstract update(transaction: Transaction, organizationId: string, change: OrganizationChange): Promise<void>;
}
