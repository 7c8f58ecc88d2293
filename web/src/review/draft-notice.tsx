import { Refusal } from '../shared/api.js';
import { Button } from '../shared/components/controls.js';
import type { DraftState } from './draft-state.js';
import type { DeskPart } from './desk-part.js';
import type { Desk } from './use-desk.js';
import type { Words } from './words/en.js';
import { fill, scaleWord } from './words/words.js';

interface DraftProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly state: DraftState;
}

/** The day, too, unless it is today. */
function momentOf(time: string, language: string): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(language, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
}

/** That a draft was brought back, until its person goes on with it. */
export function RestoredNotice({
  draft,
  words,
  language,
}: Omit<DraftProps, 'state'> & { readonly draft: Desk['draft'] }) {
  if (!draft.isRestored) return null;
  return (
    <p className="notice" role="status">
      {draft.savedAt === null ? words.restoredInTab : fill(words.restored, { time: momentOf(draft.savedAt, language) })}
    </p>
  );
}

/** How far the draft is saved; a failure is told at once, a saving is not: it comes with each stroke. */
export function DraftStanding({ state, words, language }: DraftProps) {
  if (state.kind === 'saving') return <p className="hint desk-draft">{words.draftSaving}</p>;
  if (state.kind === 'saved')
    return <p className="hint desk-draft">{fill(words.draftSaved, { time: momentOf(state.at, language) })}</p>;
  // That something stands in its way is said beside it.
  if (state.kind === 'other') return null;
  if (state.kind === 'unknown')
    return (
      <p className="notice warn desk-draft" role="alert">
        {words.draftUnknown}
      </p>
    );
  if (state.kind !== 'failed') return <p className="hint desk-draft">{words.draftNone}</p>;
  return (
    <p className="notice bad desk-draft" role="alert">
      {words.draftFailed} {reasonOf(state.fault, words)}{' '}
      {state.isTriedAgain ? words.draftTriedAgain : words.draftNotTriedAgain}{' '}
      {state.isInTab ? words.draftInTab : words.draftNowhere}
    </p>
  );
}

function reasonOf(fault: unknown, words: Words): string {
  if (!(fault instanceof Refusal)) return '';
  if (fault.code === 'network') return words.draftNetwork;
  if (fault.code === 'rate.limited') return words.throttled;
  if (fault.code === 'report.not_found') return words.gone;
  if (fault.code === 'review.session') return words.ended;
  return fault.code === 'request.too_large' ? words.draftTooLarge : words.draftRefused;
}

/** The same person went on elsewhere: nothing is written over before they say which draft goes on. */
export function OtherDraftNotice({
  draft,
  words,
  language,
}: Omit<DraftProps, 'state'> & { readonly draft: Desk['draft'] }) {
  const { state, keeper, takeTheirs } = draft;
  if (state.kind !== 'other') return null;
  const { theirs } = state;
  return (
    <div className="notice bad" role="alert">
      <p>
        {theirs === null ? words.otherDraftEnded : fill(words.otherDraft, { time: momentOf(theirs.savedAt, language) })}
      </p>
      {theirs === null ? null : (
        <p>
          {theirs.work.outlines === null ? words.otherUndrawn : words.otherDrawn}
          {` ${scaleOf(theirs.work.mmPerPixel, words, language)}`}
          {theirs.work.reassignment === null ? '' : ` ${numbersOf(theirs.work.reassignment, words)}`}
          {theirs.work.stated === undefined ? '' : ` ${words.otherForm}`}
          {theirs.work.woundStep === undefined ? '' : ` ${words.otherStep}`}
          {theirs.work.note.trim() === '' ? '' : ` ${fill(words.otherNote, { note: theirs.work.note.trim() })}`}
        </p>
      )}
      <div className="desk-tools">
        <Button onPress={takeTheirs}>{theirs === null ? words.dropDraft : words.takeOtherDraft}</Button>
        <Button onPress={() => keeper.keepMine()}>{theirs === null ? words.keepThisAlone : words.keepThisDraft}</Button>
      </div>
    </div>
  );
}

function scaleOf(mmPerPixel: number | null, words: Words, language: string): string {
  return mmPerPixel === null ? words.otherUnscaled : fill(words.otherScale, { value: scaleWord(mmPerPixel, language) });
}

function numbersOf({ patientId, woundId }: { patientId: string; woundId: string }, words: Words): string {
  return fill(words.otherNumbers, { patient: patientId.trim() || '–', wound: woundId.trim() || '–' });
}
