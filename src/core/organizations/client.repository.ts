import type { Transaction } from '../ports/unit-of-work.js';
import type { CredentialChange } from '../tenancy/api-key.js';
import type { ClientKeys, ClientRecord } from '../tenancy/client-record.js';

export abstract class ClientRepository {
  abstract insert(transaction: Transaction, client: ClientRecord): Promise<void>;
  /** Revoked ones included, oldest first. */
  abstract list(transaction: Transaction, organizationId: string): Promise<ClientRecord[]>;
  abstract find(transaction: Transaction, clientId: string): Promise<ClientRecord | null>;
  /** Not revoked; both environments. */
  abstract countActive(transaction: Transaction, organizationId: string): Promise<number>;
  abstract changeKeys(transaction: Transaction, clientId: string, keys: ClientKeys): Promise<void>;
  abstract change(transaction: Transaction, clientId: string, change: CredentialChange): Promise<void>;
  abstract revoke(transaction: Transaction, clientId: string): Promise<void>;
  /** Outside a transaction, for the door of tokens. */
  abstract findAtOnce(clientId: string): Promise<ClientRecord | null>;
  /** Remembers an assertion's `jti` until it expires; false: it was used before. One statement, so that of two at once one wins. */
  abstract useAssertion(clientId: string, jtiSha256: Uint8Array, expiresAt: Date): Promise<boolean>;
}
