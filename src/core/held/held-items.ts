import type { SystemTransaction, TenantTransaction } from '../ports/unit-of-work.js';
import type { HeldAction, HeldActor, HeldCount, HeldDoor, HeldItem, HeldReason, HeldResolution } from './held-item.js';
import type { HeldPage } from './held-source.js';

/** Something that is to wait, of which a row is kept. */
export interface NewHeldItem {
  readonly id: string;
  readonly reason: HeldReason;
  readonly door: HeldDoor;
  /** A digest: what comes with the same one joins the item that waits; null: it waits alone. */
  readonly key: Uint8Array | null;
  /** A digest by which a repeat finds it that has other ids; absent: none does. */
  readonly repeatKey?: Uint8Array;
  readonly came: HeldItem['came'];
  readonly waitsFor: string;
  readonly actions: readonly HeldAction[];
  /** The outcome of the test environment that it was asked for by; no operator is told of it. Absent: none, it came by itself. */
  readonly sandbox?: string;
}

/** What a person decided about an item. */
export interface HeldDecision {
  readonly itemId: string;
  readonly key: Uint8Array | null;
  readonly resolution: HeldResolution;
}

/** Ids of one sort that an item names at most: the first ones. */
export const MOST_NAMED = 100;

/** Rows of what waits, for the reasons that keep some. */
export abstract class HeldItems {
  /**
   * Holds it, or adds what came to the item of its key that waits; answers the id of that. A decision of the action `another` about the same key
   * stands for what comes later, and is answered instead unless it is the `considered` one, which did not help: nothing is held. Safe against
   * concurrent callers.
   */
  abstract hold(
    transaction: TenantTransaction,
    item: NewHeldItem,
    considered: string | null,
  ): Promise<string | HeldDecision>;
  /** What waits for one of the reasons, oldest first by (since, id). */
  abstract open(
    transaction: TenantTransaction,
    reasons: readonly HeldReason[],
    page: HeldPage,
  ): Promise<readonly HeldItem[]>;
  /** null: unknown, settled, or for none of the reasons. */
  abstract find(transaction: TenantTransaction, reasons: readonly HeldReason[], id: string): Promise<HeldItem | null>;
  /** False: it was settled before, or never was. */
  abstract settle(
    transaction: TenantTransaction,
    id: string,
    resolution: HeldResolution,
    actor: HeldActor,
  ): Promise<boolean>;
  /** The record that it was about after all: the item goes when that patient is erased. */
  abstract noteRecord(transaction: TenantTransaction, id: string, patientId: string): Promise<void>;
  /** As `decision`, and until the commit nobody decides about it or adds to it. */
  abstract lockedDecision(transaction: TenantTransaction, id: string): Promise<HeldDecision | null>;
  /** null: unknown, or it still waits. */
  abstract decision(transaction: TenantTransaction, id: string): Promise<HeldDecision | null>;
  /** The last decision of the action `another` about what came with this key. */
  abstract standing(transaction: TenantTransaction, key: Uint8Array): Promise<HeldDecision | null>;
  /** The newest item with this key, or with this one of repeats; `resolution` null: nobody has decided. null: none. */
  abstract newest(
    transaction: TenantTransaction,
    key: Uint8Array,
    repeatKey: Uint8Array | null,
  ): Promise<{ readonly itemId: string; readonly resolution: HeldResolution | null } | null>;
  /** How many wait that the sandbox was asked for; until the transaction ends nobody else is told. */
  abstract openOfSandbox(transaction: TenantTransaction): Promise<number>;
  /** Removes those of the sandbox that were settled so many days ago. */
  abstract removeOfSandbox(transaction: SystemTransaction, days: number): Promise<void>;
  /** A row for each reason and tenant where anything waits that nobody asked for. */
  abstract count(transaction: SystemTransaction, reasons: readonly HeldReason[]): Promise<readonly HeldCount[]>;
}
