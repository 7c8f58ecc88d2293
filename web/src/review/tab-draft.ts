import type { DraftContent } from './types.js';

/** What the service has not got yet, in this tab alone. */
export interface TabDraft {
  readonly content: DraftContent;
  /** Revisions of the draft that this one takes the place of. */
  readonly follows: readonly string[];
}

const FORM = 1;
/** Under the id of whose it is: who opens the next link in this tab does not go on with another's lines. */
const keyOf = (reportId: string, author: string): string => `sutura-desk-draft ${reportId} ${author}`;

/** null: the service has all of it. */
export function tabDraftOf(reportId: string, author: string): TabDraft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(reportId, author)) ?? 'null') as
      (TabDraft & { readonly form: number }) | null;
    return kept?.form === FORM ? { content: kept.content, follows: kept.follows } : null;
  } catch {
    return null;
  }
}

/** False where the browser keeps nothing for this page. null: nothing is to be kept any more. */
export function keepTabDraft(reportId: string, author: string, draft: TabDraft | null): boolean {
  try {
    if (draft === null) sessionStorage.removeItem(keyOf(reportId, author));
    else sessionStorage.setItem(keyOf(reportId, author), JSON.stringify({ ...draft, form: FORM }));
    return true;
  } catch {
    return false;
  }
}
