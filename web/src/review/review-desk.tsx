import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { DraftState } from './draft-state.js';
import { DeskEnded } from './desk-ended.js';
import { Button } from '../shared/components/controls.js';
import { useTheme } from '../shared/theme.js';
import { hasLink, openDesk, readSession, notifyFrame, whenEnded } from './desk-api.js';
import { ListWay } from './list-way.js';
import { DeskClock } from './desk-clock.js';
import { FaultNotice } from './fault-notice.js';
import type { DeskPart } from './desk-part.js';
import { ReportPanel } from './report-panel.js';
import './review-desk.css';
import { SeriesSlider } from './series-slider.js';
import { sweepTabDrafts } from './tab-draft.js';
import type { DeskSession } from './types.js';
import { useAttendance } from './use-attendance.js';
import { ofShownWound, useShownWound, WoundChoice } from './wound-choice.js';
import { WorklistWay } from './worklist-way.js';
import { chooseWords, fill } from './words/words.js';

/** The desk of one report or wound; without a link it says where one comes from. */
export function ReviewDesk() {
  useTheme();
  const [session, setSession] = useState<DeskSession | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  useEffect(() => {
    if (!hasLink) return;
    openDesk().then((opened) => {
      sweepTabDrafts(opened);
      setSession(opened);
      notifyFrame(opened, 'opened', { reportId: opened.reportId });
    }, setFault);
  }, []);
  const lastUntil = useCallback(
    (expiresAt: string) => setSession((known) => (known === null ? null : { ...known, expiresAt })),
    [],
  );
  const asked = useRef(0);
  const readAnew = useCallback(() => {
    const number = ++asked.current;
    // An answer that was overtaken would bring back what is gone.
    readSession().then(
      (read) => void (number === asked.current && setSession(read)),
      () => undefined,
    );
  }, []);
  const { words, language } = chooseWords(session?.language ?? null);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = words.title;
  }, [language, words]);
  if (session !== null)
    return <OpenDesk {...{ session, words, language }} onDecided={readAnew} onLasting={lastUntil} />;
  return (
    <main className="desk">
      <h1>{words.title}</h1>
      <FaultNotice fault={fault} words={words} />
      {fault === null ? <p>{hasLink ? words.opening : words.noLink}</p> : null}
    </main>
  );
}

/** Which report is shown; work that is not decided is left only on a person's word. */
function OpenDesk({
  session: whole,
  onDecided,
  onLasting,
  ...said
}: DeskPart & { readonly onDecided: () => void; readonly onLasting: (expiresAt: string) => void }) {
  const { words, language } = said;
  const [shown, setShown] = useState(whole.reportId);
  const present = useShownWound(whole, shown);
  const session = useMemo(() => ofShownWound(whole, present), [whole, present]);
  const part = { ...said, session };
  useAttendance(whole.idleS, onLasting);
  const [wanted, showWanted] = useState<string | null>(null);
  // As the work below: a decision that is sent knows the last rendering alone.
  const nextShown = useRef<string | null>(null);
  const want = useCallback((reportId: string | null) => {
    nextShown.current = reportId;
    showWanted(reportId);
  }, []);
  const [isDecided, setDecided] = useState(false);
  const noteDecision = () => {
    setDecided(true);
    onDecided();
  };
  // A key may follow before React has rendered the change: what it does goes by this, not by the last rendering.
  const hasWork = useRef(false);
  const onWork = useCallback(
    (changed: boolean) => {
      hasWork.current = changed;
      if (!changed) want(null);
    },
    [want],
  );
  const draft = useRef<DraftState>({ kind: 'none' });
  const [draftState, showDraft] = useState<DraftState>(draft.current);
  const onDraft = useCallback((state: DraftState) => {
    draft.current = state;
    showDraft(state);
  }, []);
  // Whoever asked for another report meanwhile goes there now; until the decision is read nothing holds it up.
  const onTaken = () => {
    hasWork.current = false;
    if (nextShown.current === null) return;
    setShown(nextShown.current);
    want(null);
  };
  const told = { onWork, onDraft, onTaken, onDecided: noteDecision, onRecorded: onDecided };
  const [endedWith, endWith] = useState<DraftState | null>(null);
  const onEnd = useCallback(() => endWith((known) => known ?? draft.current), []);
  useEffect(() => whenEnded(onEnd), [onEnd]);
  const hasEnded = endedWith !== null;
  useEffect(() => {
    if (hasEnded) notifyFrame(session, 'ended', {});
  }, [hasEnded, session]);
  const show = (reportId: string) => {
    if (reportId === shown) want(null);
    else if (hasWork.current || isHereAlone(draft.current)) want(reportId);
    else setShown(reportId);
  };
  const until = new Date(session.expiresAt).toLocaleTimeString(language, { timeStyle: 'short' });
  if (endedWith !== null) return <DeskEnded {...{ session, words }} draft={endedWith} />;
  return (
    <main className="desk">
      <header className="desk-tools desk-head">
        <h1>{words.title}</h1>
        <span className="hint">{fill(words.until, { time: until })}</span>
        <WorklistWay {...{ words, isDecided }} />
      </header>
      <div className="desk-notes">
        <DeskClock {...part} draft={draftState} onEnd={onEnd} />
        {wanted === null ? null : (
          <LeaveNotice
            {...{ draftState, words }}
            onStay={() => want(null)}
            onLeave={() => {
              setShown(wanted);
              want(null);
            }}
          />
        )}
        <WoundChoice {...said} session={whole} {...{ present, shown, show }} />
        <ListWay list={whole.list} {...{ words, shown, show }} />
      </div>
      {hasOther(session, shown) ? (
        <SeriesSlider label={words.series} series={session.series} {...{ shown, show, language }} />
      ) : null}
      <ReportPanel key={shown} reportId={shown} {...part} {...told} show={show} />
    </main>
  );
}

/** True where there is a photo to go to from the shown one. */
function hasOther({ series }: DeskSession, shown: string): boolean {
  return series.some(({ reportId }) => reportId !== shown);
}

/** Asks before work that is not decided is left. */
function LeaveNotice({
  draftState,
  words,
  onStay,
  onLeave,
}: {
  readonly draftState: DraftState;
  readonly words: DeskPart['words'];
  readonly onStay: () => void;
  readonly onLeave: () => void;
}) {
  return (
    <div className="notice" role="alert">
      <p>{wordsOfLeaving(draftState, words)}</p>
      <div className="desk-tools">
        <Button onPress={onStay}>{words.keepEditing}</Button>
        {isHereAlone(draftState) ? null : <Button onPress={onLeave}>{words.leaveDraft}</Button>}
      </div>
    </div>
  );
}

/** Neither the service nor the tab has what is on the screen. */
function isHereAlone(draft: DraftState): boolean {
  return 'isInTab' in draft && draft.kind !== 'saving' && !draft.isInTab;
}

function wordsOfLeaving(draft: DraftState, words: DeskPart['words']): string {
  if (isHereAlone(draft)) return words.unsavedNowhere;
  return draft.kind === 'failed' || draft.kind === 'other' ? words.unsavedInTab : words.unsaved;
}
