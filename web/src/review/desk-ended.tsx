import type { DraftState } from './draft-state.js';
import type { DeskPart } from './report-panel.js';
import { WorklistWay } from './worklist-way.js';

interface EndedProps extends Pick<DeskPart, 'session' | 'words'> {
  /** How far the draft was. */
  readonly draft: DraftState;
}

/** The desk has ended: nothing of the patient stays on the screen, and it is said what becomes of the draft. */
export function DeskEnded({ session, words, draft }: EndedProps) {
  return (
    <main className="desk">
      <header className="desk-tools">
        <h1>{words.title}</h1>
        <WorklistWay words={words} isDecided={false} />
      </header>
      <div className="notice bad" role="alert">
        <p>{words.ended}</p>
        {draft.kind === 'none' ? null : (
          <p>
            {session.author.startsWith('link:')
              ? words.endedUnnamed
              : draft.kind === 'saved'
                ? words.endedDraft
                : words.endedInTab}
          </p>
        )}
      </div>
    </main>
  );
}
