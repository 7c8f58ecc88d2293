import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../shared/api.js';
import { draftedFields, useDeskForm, type DeskForm } from './desk-form.js';
import type { DraftKeeper } from './draft-keeper.js';
import type { DraftStart, DraftState } from './draft-state.js';
import { useWork, type WorkHistory } from './outline-history.js';
import type { DeskSession, DraftContent, Polygon, Report } from './types.js';
import { shownFirst, useDraftKeeper } from './use-draft.js';
import { usePresence } from './use-presence.js';
import { isGone, type ReadReport } from './use-report.js';

interface DeskParts {
  readonly answer: Answer<Report>;
  readonly start: DraftStart;
  readonly session: DeskSession;
  readonly read: ReadReport;
  readonly isTissueShown: boolean;
  /** Tells the page how far the draft is. */
  readonly onDraft: (state: DraftState) => void;
  /** Somebody else gave the report away, or it was erased. */
  readonly onGone: () => void;
}

/** Outlines, fields and draft of a report at the desk, and what others do with it meanwhile. */
export function useDesk({ answer, start, session, read, isTissueShown, onDraft, onGone }: DeskParts) {
  const report = answer.data;
  const isEditable = session.mode === 'review' && report.status !== 'entered-in-error';
  const [first] = useState(() => shownFirst(start));
  const work = useWork(report, first);
  const form = useDeskForm(first?.work ?? null);
  const [draftVersion, setDraftVersion] = useState(first?.reportVersion ?? report.version);
  const { keeper, state } = useDraftKeeper(start, session, report.id);

  // A draft never claims a version that its person did not see.
  const reportVersion = work.isUnsettled ? draftVersion : report.version;
  const content = contentOf(work, form, { reportVersion, isTissueShown });
  const text = JSON.stringify(content);
  // While a decision is sent nothing changes that it would not have.
  const [isDeciding, setDeciding] = useState(false);
  const [firstText] = useState(text);
  const isRestored =
    first !== null && content !== null && text === firstText && (state.kind === 'saving' || state.kind === 'saved');
  useEffect(() => {
    if (isEditable) keeper.offer(JSON.parse(text) as DraftContent | null);
  }, [keeper, isEditable, text]);
  useEffect(() => onDraft(state), [onDraft, state]);
  const around = useSurroundings(report, { read, keeper, isEditable, onGone });

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
  const savedAt = start.inTab === null ? (start.saved?.savedAt ?? null) : null;
  const draft = { keeper, state, isRestored, takeTheirs, savedAt, otherOutlines: outlinesElsewhere(state) };
  return { report, isEditable, work, form, draft, hasDraft: content !== null, isDeciding, setDeciding, ...around };
}

export type Desk = ReturnType<typeof useDesk>;

/** What is to be kept; null: nothing. */
function contentOf(
  { outlines, mmPerPixel, hasOtherOutlines, isChanged }: WorkHistory,
  form: DeskForm,
  { reportVersion, isTissueShown }: { readonly reportVersion: number; readonly isTissueShown: boolean },
): DraftContent | null {
  const { isEmpty, ...fields } = draftedFields(form);
  if (isEmpty && !isChanged) return null;
  const drawn = { outlines: hasOtherOutlines ? outlines : null, mmPerPixel } as DraftContent['work'];
  return { reportVersion, work: { ...drawn, ...fields, screen: { tool: form.tool, isTissueShown } } };
}

function outlinesElsewhere(state: DraftState): readonly Polygon[] {
  const outlines = state.kind === 'other' ? (state.theirs?.work.outlines ?? []) : [];
  return outlines as readonly Polygon[];
}

interface Watched extends Pick<DeskParts, 'onGone'> {
  readonly read: ReadReport;
  readonly keeper: DraftKeeper;
  readonly isEditable: boolean;
}

/** Who else has the report open, and the version that stands where it is another than the one on the screen. */
function useSurroundings(report: Report, { read, keeper, isEditable, onGone }: Watched) {
  const [newer, setNewer] = useState<Answer<Report> | null>(null);
  const shown = useRef(report.version);
  useEffect(() => {
    shown.current = report.version;
  }, [report.version]);
  // What the own decision brings is said by that.
  const sayGone = () => {
    if (!keeper.isHeld) onGone();
  };
  const presence = usePresence(report.id, {
    mark: () => keeper.mark(),
    onGone: sayGone,
    onAnswer: ({ draftRevision, reportVersion }, mark) => {
      if (keeper.isHeld) return;
      if (isEditable) void keeper.noteStanding(draftRevision, mark);
      const isOutrun = reportVersion !== null && reportVersion > shown.current;
      if (!isOutrun || newer !== null) return;
      read().then(
        // Not what the own decision has put onto the screen meanwhile.
        (known) => !keeper.isHeld && known.data.version > shown.current && setNewer(known),
        // After any other fault the next question of the page asks again.
        (fault: unknown) => (isGone(fault) ? sayGone() : undefined),
      );
    },
  });
  return { presence, newer, setNewer };
}
