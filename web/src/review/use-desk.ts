import { useEffect, useState } from 'react';
import type { Answer } from '../shared/api.js';
import { draftedFields, useDeskForm } from './desk-form.js';
import type { DraftStart, DraftState } from './draft-state.js';
import { useWork } from './outline-history.js';
import type { DeskSession, DraftContent, Polygon, Report } from './types.js';
import { shownFirst, useDraftKeeper } from './use-draft.js';
import { usePresence } from './use-presence.js';
import type { ReadReport } from './use-report.js';

interface DeskParts {
  readonly answer: Answer<Report>;
  readonly start: DraftStart;
  readonly session: DeskSession;
  readonly read: ReadReport;
  readonly isTissueShown: boolean;
  /** Tells the page how far the draft is. */
  readonly onDraft: (state: DraftState) => void;
}

/** Outlines, fields and draft of a report at the desk, and what others do with it meanwhile. */
export function useDesk({ answer, start, session, read, isTissueShown, onDraft }: DeskParts) {
  const report = answer.data;
  const isEditable = session.mode === 'review' && report.status !== 'entered-in-error';
  const [first] = useState(() => shownFirst(start));
  const [newer, setNewer] = useState<Answer<Report> | null>(null);
  const work = useWork(report, first);
  const form = useDeskForm(first?.work ?? null);
  const [draftVersion, setDraftVersion] = useState(first?.reportVersion ?? report.version);
  const { keeper, state } = useDraftKeeper(start, session, report.id);

  // A draft never claims a version that its person did not see.
  const reportVersion = work.isUnsettled ? draftVersion : report.version;
  const content = contentOf();
  const text = JSON.stringify(content);
  const [firstText] = useState(text);
  const isRestored = first !== null && text === firstText && (state.kind === 'saving' || state.kind === 'saved');
  function contentOf(): DraftContent | null {
    const { isEmpty, ...fields } = draftedFields(form);
    if (isEmpty && !work.isChanged) return null;
    const { outlines, mmPerPixel, hasOtherOutlines } = work;
    const drawn = { outlines: hasOtherOutlines ? outlines : null, mmPerPixel } as DraftContent['work'];
    return { reportVersion, work: { ...drawn, ...fields, screen: { tool: form.tool, isTissueShown } } };
  }
  useEffect(() => {
    if (isEditable) keeper.offer(JSON.parse(text) as DraftContent | null);
  }, [keeper, isEditable, text]);
  useEffect(() => onDraft(state), [onDraft, state]);

  const presence = usePresence(report.id, {
    mark: () => ({ draft: keeper.mark(), version: report.version }),
    onAnswer: ({ draftRevision, reportVersion: standing }, mark) => {
      if (!isEditable || keeper.isHeld) return;
      void keeper.noteStanding(draftRevision, mark.draft);
      const isOutrun = standing !== null && standing > report.version && mark.version === report.version;
      if (isOutrun && newer === null)
        read().then(
          (known) => !keeper.isHeld && known.data.version > report.version && setNewer(known),
          // The next question of the page asks again.
          () => undefined,
        );
    },
  });

  /** Puts the draft that was saved elsewhere onto the screen; without one the report as it stands. */
  const takeTheirs = () => {
    if (state.kind !== 'other') return;
    const { theirs } = state;
    keeper.takeTheirs();
    if (theirs === null) {
      work.settle(report);
      form.settle();
      return;
    }
    setDraftVersion(theirs.reportVersion);
    work.bring(report, theirs);
    form.bring(theirs.work);
  };
  const draft = {
    keeper,
    state,
    isRestored,
    takeTheirs,
    otherOutlines: otherOutlines as readonly Polygon[],
    savedAt: start.inTab === null ? (start.saved?.savedAt ?? null) : null,
  };
  const otherOutlines = (state.kind === 'other' ? state.theirs?.work.outlines : null) ?? [];
  return { report, isEditable, newer, setNewer, work, form, draft, presence, hasDraft: content !== null };
}

export type Desk = ReturnType<typeof useDesk>;
