import type { Transaction } from '../ports/unit-of-work.js';
import type { ApiKeyRecord, CredentialChange } from '../tenancy/api-key.js';

export abstract class ApiKeyRepository {
  abstract insert(transaction: Transaction, key: ApiKeyRecord, sha256: Uint8Array): Promise<void>;
  abstract list(transaction: Transaction, organizationId: string): Promise<ApiKeyRecord[]>;
  abstract find(transaction: Transaction, keyId: string): Promise<ApiKeyRecord | null>;
  abstract findByDigest(sha256: Uint8Array): Promise<ApiKeyRecord | null>;
  /** Neither revoked, expired nor replaced; both environments. */
  abstract countActive(transaction: Transaction, organizationId: string): Promise<number>;
  /** The old key of a rotation: works until `expiresAt`. */
  abstract replace(transaction: Transaction, keyId: string, replacedBy: string, expiresAt: Date): Promise<void>;
  abstract change(transaction: Transaction, keyId: string, change: CredentialChange): Promise<void>;
  abstract revoke(transaction: Transaction, keyId: string): Promise<void>;
  /** Best effort, at most once a minute per key. */
  abstract touch(keyId: string): Promise<void>;
}
