import type { TenantTransaction } from '../ports/unit-of-work.js';

/** A door's answer as it was first given. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface IdempotencyKey {
  readonly route: string;
  readonly key: string;
  /** SHA-256 of the canonical body, hex. */
  readonly bodySha256: string;
}

export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'in_flight' }
  | { readonly state: 'stored'; readonly bodySha256: string; readonly answer: StoredAnswer };

export abstract class IdempotencyLedger {
  /** Takes the key for this transaction without waiting; 'in_flight' where another transaction holds it. */
  abstract begin(transaction: TenantTransaction, key: IdempotencyKey): Promise<IdempotencyState>;
  /** Keeps the answer with the transaction, for as long as its organization says, else 24 h. */
  abstract store(transaction: TenantTransaction, key: IdempotencyKey, answer: StoredAnswer): Promise<void>;
}
