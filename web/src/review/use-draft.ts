import { useEffect, useState, useSyncExternalStore } from 'react';
import { discardDraft, readDraft, saveDraft } from './desk-api.js';
import { DraftKeeper } from './draft-keeper.js';
import type { DraftStart, DraftStore } from './draft-state.js';
import { keepTabDraft, tabDraftOf } from './tab-draft.js';
import type { DeskSession, DraftContent } from './types.js';

/** The draft with which the desk of a report begins; null while it is read. */
export function useDraftStart({ mode, author }: DeskSession, reportId: string) {
  const [start, setStart] = useState<DraftStart | null>(mode === 'review' ? null : { saved: null, inTab: null });
  const [fault, setFault] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (mode !== 'review') return;
    let isWanted = true;
    readDraft(reportId).then(
      (saved) => isWanted && setStart({ saved, inTab: tabDraftOf(reportId, author) }),
      (refusal: unknown) => isWanted && setFault(refusal),
    );
    return () => {
      isWanted = false;
    };
  }, [mode, author, reportId, attempt]);
  const retry = () => {
    setFault(null);
    setAttempt((known) => known + 1);
  };
  return { start, fault, retry };
}

/** What of a draft is on the screen first: that of this tab, which its person saw last. */
export function shownFirst({ saved, inTab }: DraftStart): DraftContent | null {
  return inTab?.content ?? saved;
}

/** Keeps the draft of a report for as long as its desk is on the screen. */
export function useDraftKeeper(start: DraftStart, { author }: DeskSession, reportId: string) {
  const [keeper] = useState(() => {
    const store: DraftStore = {
      read: () => readDraft(reportId),
      keep: (draft) => saveDraft(reportId, draft),
      discard: (revisions) => discardDraft(reportId, revisions),
      keepInTab: (draft) => keepTabDraft(reportId, author, draft),
      inTab: () => tabDraftOf(reportId, author),
    };
    return new DraftKeeper(store, start);
  });
  const state = useSyncExternalStore(keeper.subscribe, keeper.read);
  useEffect(() => {
    keeper.start();
    const atOnce = () => keeper.saveNow();
    const onHidden = () => document.visibilityState === 'hidden' && keeper.saveNow();
    window.addEventListener('online', atOnce);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      window.removeEventListener('online', atOnce);
      document.removeEventListener('visibilitychange', onHidden);
      keeper.retire();
    };
  }, [keeper]);
  const isUnsaved = state.kind === 'saving' || state.kind === 'failed' || state.kind === 'other';
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isUnsaved) window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  return { keeper, state };
}
