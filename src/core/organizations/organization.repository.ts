import type { ApiKeyRecord } from '../tenancy/api-key.js';
import type { Organization } from './organization.js';
import type { Transaction } from '../ports/unit-of-work.js';

export type OrganizationChange = Partial<
  Pick<
    Organization,
    'name' | 'plan' | 'dailyLimitOverride' | 'resultPolicy' | 'autoAnalyze' | 'unservedTypes' | 'imageHosts'
  >
>;

export abstract class OrganizationRepository {
  abstract insert(transaction: Transaction, organization: Organization): Promise<void>;
  abstract list(transaction: Transaction): Promise<Organization[]>;
  abstract find(transaction: Transaction, organizationId: string): Promise<Organization | null>;
  /** As find, and holds the row until the transaction ends, so that key limits are counted one after another. */
  abstract findForUpdate(transaction: Transaction, organizationId: string): Promise<Organization | null>;
  abstract update(transaction: Transaction, organizationId: string, change: OrganizationChange): Promise<void>;
}

export abstract class ApiKeyRepository {
  abstract insert(transaction: Transaction, key: ApiKeyRecord, sha256: Uint8Array): Promise<void>;
  abstract list(transaction: Transaction, organizationId: string): Promise<ApiKeyRecord[]>;
  abstract find(transaction: Transaction, keyId: string): Promise<ApiKeyRecord | null>;
  abstract findByDigest(sha256: Uint8Array): Promise<ApiKeyRecord | null>;
  /** Neither revoked, expired nor replaced; both environments. */
  abstract countActive(transaction: Transaction, organizationId: string): Promise<number>;
  /** The old key of a rotation: works until `expiresAt`. */
  abstract replace(transaction: Transaction, keyId: string, replacedBy: string, expiresAt: Date): Promise<void>;
  abstract revoke(transaction: Transaction, keyId: string): Promise<void>;
  /** Best effort, at most once a minute per key. */
  abstract touch(keyId: string): Promise<void>;
}

/** Makes key texts. */
export abstract class KeyMint {
  abstract mint(environment: 'test' | 'live'): {
    readonly text: string;
    readonly sha256: Uint8Array;
    readonly prefix: string;
    readonly lastFour: string;
  };
}
