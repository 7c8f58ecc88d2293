import type { TenantTransaction } from '../ports/unit-of-work.js';

/** A page that was not heard of for so long does not count as open. A browser lets a hidden page speak once a minute. */
export const PRESENCE_S = 90;
/** How many others are named. */
export const MOST_PRESENT = 20;

/** A page of the desk that has a report open. */
export interface OpenDesk {
  readonly linkId: string;
  readonly tabId: string;
  readonly reportId: string;
  readonly author: string;
  /** null: the link names nobody. */
  readonly name: string | null;
  readonly canDecide: boolean;
}

/** Somebody else's page, or another one of the same person. */
export interface PresentPerson extends Pick<OpenDesk, 'name' | 'canDecide'> {
  readonly isSamePerson: boolean;
  readonly since: Date;
}

/** What a page is told that says that it is open. */
export interface DeskSurroundings {
  readonly asOf: Date;
  readonly others: readonly PresentPerson[];
  /** The version of the report that stands; null: there is none any more. */
  readonly reportVersion: number | null;
  /** The revision of the author's own draft; null: there is none. */
  readonly draftRevision: string | null;
}

/** Who has which report open at a desk: as far as their pages say so, and for some seconds longer. */
export abstract class ReviewPresence {
  /** Notes that this page is open, and tells what is around it. */
  abstract note(transaction: TenantTransaction, desk: OpenDesk): Promise<DeskSurroundings>;
  abstract leave(transaction: TenantTransaction, page: Pick<OpenDesk, 'linkId' | 'tabId' | 'reportId'>): Promise<void>;
  /** Removes pages of all tenants that fell silent. Returns how many. */
  abstract removeSilent(): Promise<number>;
}
