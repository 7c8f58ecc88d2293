import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { Caller } from '../tenancy/api-key.js';
import type { HeldResolution } from './held-item.js';

/** A request that waits. `content`: what the door needs to do it, as JSON. */
export interface HeldRequest {
  readonly caller: Caller;
  readonly content: unknown;
}

/** How the last request of a key stands. `resolution` null: nobody has decided; `answer` null: it is still to be done. */
export interface HeldRequestState {
  readonly itemId: string;
  readonly resolution: HeldResolution | null;
  readonly answer: unknown;
}

/** Encrypts what is kept of a request; sealed bytes can be opened in the row of this id alone. */
export abstract class RequestSeal {
  abstract seal(bytes: Uint8Array, row: string): Uint8Array;
  abstract open(bytes: Uint8Array, row: string): Uint8Array;
}

/** Requests that wait for a person, each with its item of the list. */
export abstract class HeldRequests {
  /** Does nothing where the item has one: a repeat. */
  abstract keep(transaction: TenantTransaction, itemId: string, request: HeldRequest): Promise<void>;
  /** Locked until the transaction ends; null: none, or it is done. */
  abstract take(transaction: TenantTransaction, itemId: string): Promise<HeldRequest | null>;
  /** It is done, or given up: the content goes, and a repeat gets this. */
  abstract finish(transaction: TenantTransaction, itemId: string, answer: unknown): Promise<void>;
  /** Of the newest item with this key; null: none. */
  abstract state(transaction: TenantTransaction, key: Uint8Array): Promise<HeldRequestState | null>;
}
