import { useEffect } from 'react';
import type { DraftState } from './draft-state.js';
import type { DeskPart } from './desk-part.js';
import { closeDocuments } from './open-documents.js';
import { sweepTabDrafts } from './tab-draft.js';
import { abandonDrafts } from './use-draft.js';
import { WorklistWay } from './worklist-way.js';

interface EndedProps extends Pick<DeskPart, 'session' | 'words'> {
  /** How far the draft was. */
  readonly draft: DraftState;
}

/** The desk has ended: nothing of the patient stays on the screen, and it is said what becomes of the draft. */
export function DeskEnded({ session, words, draft }: EndedProps) {
  const isUnnamed = session.author.startsWith('link:');
  useEffect(abandonDrafts, []);
  useEffect(closeDocuments, []);
  useEffect(() => {
    // No other link brings it back: nothing of the patient stays in this tab.
    if (isUnnamed) sweepTabDrafts(session, true);
  }, [isUnnamed, session]);
  return (
    <main className="desk">
      <header className="desk-tools">
        <h1>{words.title}</h1>
        <WorklistWay words={words} isDecided={false} />
      </header>
      <div className="notice bad" role="alert">
        <p>{words.ended}</p>
        {draft.kind === 'none' ? null : <p>{isUnnamed ? words.endedUnnamed : whereItIs(draft, words)}</p>}
      </div>
    </main>
  );
}

function whereItIs(draft: Exclude<DraftState, { readonly kind: 'none' }>, words: EndedProps['words']): string {
  if (draft.kind === 'saved') return words.endedDraft;
  if (draft.kind === 'unknown') return words.draftUnknown;
  return draft.isInTab ? words.endedInTab : words.endedNowhere;
}
