import type { TabDraft } from './tab-draft.js';
import type { Draft, DraftContent } from './types.js';

/** How far a draft is saved. */
export type DraftState =
  /** There is nothing to keep. */
  | { readonly kind: 'none' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: string }
  /** `isInTab`: this tab has it until it is saved. */
  | { readonly kind: 'failed'; readonly fault: unknown; readonly isTriedAgain: boolean; readonly isInTab: boolean }
  /** The same person went on in another tab or on another device; null: they ended the draft there. */
  | { readonly kind: 'other'; readonly theirs: Draft | null };

/** Where drafts are kept. */
export interface DraftStore {
  read(): Promise<Draft | null>;
  /** Returns when it was kept. */
  keep(draft: DraftContent & { readonly revision: string; readonly follows: readonly string[] }): Promise<string>;
  discard(revisions: readonly string[]): Promise<void>;
  /** In the tab, until the service has it; false where the browser keeps nothing. */
  keepInTab(draft: TabDraft | null): boolean;
  inTab(): TabDraft | null;
}

/** With what a desk begins: what the service has, and what this tab has beyond it. */
export interface DraftStart {
  readonly saved: Draft | null;
  readonly inTab: TabDraft | null;
}
