import { useEffect, useState, useSyncExternalStore } from 'react';
import { Refusal } from '../shared/api.js';
import { discardDraft, linkId, readDraft, saveDraft } from './desk-api.js';
import { DraftKeeper } from './draft-keeper.js';
import type { DraftStart, DraftStore } from './draft-state.js';
import { keepTabDraft, tabDraftOf } from './tab-draft.js';
import type { DeskSession, Draft, DraftContent } from './types.js';

/** Those of reports that were left, which go on with what is not saved. */
const leftBehind = new Map<string, DraftKeeper>();

/** The desk has ended: none is tried any more, since each try would be refused. */
export function abandonDrafts(): void {
  for (const keeper of leftBehind.values()) keeper.abandon();
  leftBehind.clear();
}

/** The report is not one of this desk any more: nothing that was drawn about it is kept. */
export function dropDraft(reportId: string, { author }: DeskSession): void {
  leftBehind.get(reportId)?.drop();
  leftBehind.delete(reportId);
  keepTabDraft(reportId, { author, linkId }, null);
}

/** The draft with which the desk of a report begins; null while it is read. Where it cannot be read, the report is shown with what this tab has. */
export function useDraftStart({ mode, author }: DeskSession, reportId: string) {
  const [start, setStart] = useState<DraftStart | null>(mode === 'review' ? null : { saved: null, inTab: null });
  useEffect(() => {
    if (mode !== 'review') return;
    let isWanted = true;
    const begin = (saved: Draft | null, isUnknown = false) => {
      if (isWanted) setStart({ saved, inTab: tabDraftOf(reportId, { author, linkId }), isUnknown });
    };
    const read = async () => {
      await leftBehind.get(reportId)?.idle();
      return readDraft(reportId);
    };
    read().then(begin, (refusal: unknown) => {
      // That the desk has ended is said by the page.
      if (!(refusal instanceof Refusal && refusal.code === 'review.session')) begin(null, true);
    });
    return () => {
      isWanted = false;
    };
  }, [mode, author, reportId]);
  return start;
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
      keepInTab: (draft) => keepTabDraft(reportId, { author, linkId }, draft),
      inTab: () => tabDraftOf(reportId, { author, linkId }),
    };
    return new DraftKeeper(store, start);
  });
  const state = useSyncExternalStore(keeper.subscribe, keeper.read);
  useEffect(() => {
    if (leftBehind.get(reportId) !== keeper) leftBehind.get(reportId)?.abandon();
    leftBehind.delete(reportId);
    keeper.start();
    const atOnce = () => keeper.saveNow();
    const onHidden = () => document.visibilityState === 'hidden' && keeper.saveNow(true);
    window.addEventListener('online', atOnce);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      window.removeEventListener('online', atOnce);
      document.removeEventListener('visibilitychange', onHidden);
      keeper.retire();
      leftBehind.set(reportId, keeper);
    };
  }, [keeper, reportId]);
  const isUnsaved = state.kind === 'saving' || state.kind === 'failed' || state.kind === 'other';
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isUnsaved) window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  return { keeper, state };
}
