import type { TabDraft } from './tab-draft.js';
import type { Draft, DraftContent } from './types.js';

/** How far a draft is saved. */
export type DraftState =
  /** There is nothing to keep. */
  | { readonly kind: 'none' }
  /** Whether the service has one could not be read. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'saving'; readonly isInTab: boolean }
  | { readonly kind: 'saved'; readonly at: string }
  /** `isInTab`: this tab has it until it is saved. */
  | { readonly kind: 'failed'; readonly fault: unknown; readonly isTriedAgain: boolean; readonly isInTab: boolean }
  /** Another draft of the same person stands; null: none any more, where one did or a decision came first. */
  | { readonly kind: 'other'; readonly theirs: Draft | null; readonly isInTab: boolean };

/** What is sent of a draft. */
export interface SentDraft extends DraftContent {
  readonly revision: string;
  readonly follows: readonly string[];
  /** Its person wants it although none stands. */
  readonly isChosen?: boolean;
}

/** Where drafts are kept. */
export interface DraftStore {
  read(): Promise<Draft | null>;
  /** Returns when it was kept. */
  keep(draft: SentDraft): Promise<string>;
  discard(revisions: readonly string[]): Promise<void>;
  /** In the tab, until the service has it; false where the browser keeps nothing. */
  keepInTab(draft: TabDraft | null): boolean;
  inTab(): TabDraft | null;
}

/** With what a desk begins: what the service has, and what this tab has beyond it. */
export interface DraftStart {
  readonly saved: Draft | null;
  readonly inTab: TabDraft | null;
  /** What the service has could not be read. */
  readonly isUnknown?: boolean;
}

/** The same for the same content: what the database gives back has its members in another order. */
export function textOf(content: DraftContent | null): string {
  return JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
