import type { SystemTransaction, TenantTransaction } from '../ports/unit-of-work.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { HeldActor, HeldCount, HeldItem, HeldReason, HeldResolution } from './held-item.js';

/** The end of a page: the list is oldest first by (since, id). */
export interface HeldCursor {
  readonly since: Date;
  readonly id: string;
}

/** `since` in milliseconds, and the id. */
const CURSOR = /^(\d{1,14})\.([a-z0-9_.-]{1,80})$/;

/** The end of a page as opaque text. It is no secret and grants nothing. */
export function heldCursorText({ since, id }: HeldCursor): string {
  return `${since.getTime()}.${id}`;
}

/** null for what `heldCursorText` did not make. */
export function readHeldCursor(text: string): HeldCursor | null {
  const [, since, id] = CURSOR.exec(text) ?? [];
  return since === undefined || id === undefined ? null : { since: new Date(Number(since)), id };
}

/** A part of the list. */
export interface HeldPage {
  /** Of the reasons that a source has; null: all. */
  readonly reason: HeldReason | null;
  /** Only what has waited for so long, in seconds; null: all. */
  readonly olderThanS: number | null;
  /** What comes behind it; null: from the oldest. */
  readonly after: HeldCursor | null;
  readonly limit: number;
}

/** What waits for one or several reasons. A new source is a line in composition/held.module.ts. */
export abstract class HeldSource {
  /** No other source has one of them. */
  abstract readonly reasons: readonly HeldReason[];
  /** What waits, oldest first by (since, id), within the transaction's tenant. */
  abstract open(transaction: TenantTransaction, page: HeldPage): Promise<readonly HeldItem[]>;
  /** null: it does not wait here, or waits no longer. */
  abstract find(transaction: TenantTransaction, id: string): Promise<HeldItem | null>;
  /** Of all tenants, for metrics: a row for each reason and tenant where anything waits. */
  abstract count(transaction: SystemTransaction): Promise<readonly HeldCount[]>;
  /**
   * Does what a person decided about an item that `find` has found; its action is one of the item's. In transactions of its own: what is done twice
   * at once is done once. `held.not_found` where another was quicker, `request.invalid` where a field lacks.
   */
  abstract resolve(tenant: Tenant, item: HeldItem, resolution: HeldResolution, actor: HeldActor): Promise<void>;
}
