import { useEffect, useState } from 'react';
import { isResetting } from '../../../src/core/followup/clinical-event.js';
import type { ClinicalEventType } from '../../../src/core/followup/clinical-event.js';
import { Button, TextField } from '../shared/components/controls.js';
import { FaultNotice } from './fault-notice.js';
import type { DeskPart } from './desk-part.js';
import { Select } from './stated-parts.js';
import { momentNamed } from './time-taken.js';
import type { DeskFormFacts } from './types.js';
import { randomId } from './random-id.js';
import {
  eventWord,
  isMoot,
  isNow,
  isUntouched,
  momentTyped,
  newStep,
  REASONS,
  reasonWord,
  typedHere,
  withOffset,
  type WoundStep,
} from './wound-step.js';
import type { SentStep, WoundSteps } from './use-wound-steps.js';
import { fill } from './words/words.js';

export interface WoundPanelProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly facts: DeskFormFacts;
  readonly step: WoundStep | null;
  readonly change: (step: WoundStep | null) => void;
  readonly steps: WoundSteps;
  readonly canDecide: boolean;
  readonly isBusy: boolean;
  /** When the photo on the screen was taken. */
  readonly shownAt: string;
}

/** What was done to the wound, and whether it is closed: as it stands, and what is to be recorded. What follows is said before. */
export function WoundPanel(props: WoundPanelProps) {
  const { facts, step, change, steps, canDecide, isBusy, shownAt, words } = props;
  const { wound } = facts;
  const isOpen = wound.status === 'open';
  const standing = isOpen ? { value: 'closed', word: words.stepClose } : { value: 'reopened', word: words.stepReopen };
  const kind = step?.kind ?? '';
  const isStanding = kind === 'closed' || kind === 'reopened';
  const isReady = step !== null && kind !== '' && (kind !== 'closed' || step.reason !== '');
  const hasMoot = !isBusy && step !== null && isMoot(step, facts);
  useEffect(() => {
    if (hasMoot) steps.drop();
  }, [hasMoot]);
  const record = (begun: WoundStep) => {
    const at = isNow(begun) ? undefined : momentTyped(begun, new Date(), shownAt);
    if (at === null) return steps.say(words.needsMoment);
    if (kind === 'closed' && at !== undefined && Date.parse(at) < Date.parse(shownAt))
      return steps.say(words.closesBefore);
    void steps.record(sendable(begun, at, wound.status), true);
  };
  return (
    <div className="desk-form">
      <Standing {...props} />
      <Events {...props} />
      <div className="field">
        <span className="label">{words.stepKind}</span>
        <Select
          label={words.stepKind}
          value={kind}
          empty={words.stepNone}
          choices={[...facts.words.events, standing]}
          onChange={(chosen) =>
            change(chosen === '' ? null : step === null ? newStep(chosen) : { ...step, kind: chosen, reason: '' })
          }
        />
      </div>
      {step === null ? null : (
        <>
          {kind === 'closed' ? (
            <div className="field">
              <span className="label">{words.stepReason}</span>
              <Select
                label={words.stepReason}
                value={step.reason}
                empty={words.stepReasonNone}
                choices={REASONS.map((value) => ({ value, word: reasonWord(value, words) }))}
                onChange={(reason) => change({ ...step, reason })}
              />
            </div>
          ) : null}
          <label className="field">
            <span className="label">{words.stepAt}</span>
            <input
              className="input"
              type="datetime-local"
              value={typedHere(step.at)}
              onChange={(event) => change({ ...step, at: withOffset(event.target.value) })}
            />
          </label>
          {isUntouched(step) ? <p className="hint">{words.stepNow}</p> : null}
          <TextField
            label={words.stepNote}
            value={step.note}
            onChange={(note) => change({ ...step, note })}
            maxLength={2000}
          />
          <Follows {...props} />
          <div className="desk-tools">
            <Button
              look={isStanding ? 'danger' : 'primary'}
              isDisabled={!canDecide || !isReady}
              onPress={() => record(step)}
            >
              {kind === 'closed' ? words.stepCloseNow : kind === 'reopened' ? words.stepReopenNow : words.stepRecord}
            </Button>
            <Button onPress={() => change(null)}>{words.cancel}</Button>
          </div>
        </>
      )}
      <FaultNotice fault={steps.fault} words={words} />
    </div>
  );
}

/** As the desk's routes take it, without who signs. `at`: undefined: now, by the clock of the service. */
function sendable(
  { kind, reason, note, requestId }: WoundStep,
  at: string | undefined,
  shown: 'open' | 'closed',
): SentStep {
  const said = { requestId, ...(note.trim() === '' ? {} : { note: note.trim() }) };
  const decided = { shown, ...(at === undefined ? {} : { decidedAt: at }), ...said };
  if (kind === 'closed')
    return { path: 'standing', body: { ...decided, status: 'closed', reason }, recorded: 'closing' };
  if (kind === 'reopened') return { path: 'standing', body: { ...decided, status: 'open' }, recorded: 'reopening' };
  const body = { type: kind, ...(at === undefined ? {} : { occurredAt: at }), ...said };
  return { path: 'events', body, recorded: 'event' };
}

/** Before the button that does it. */
function Follows({ facts, step, words, language }: WoundPanelProps) {
  const { kind = '', reason = '' } = step ?? {};
  const newer = facts.newerPhotoAt;
  const said = followsIn();
  function followsIn(): string | null {
    if (kind === 'reopened') return words.followsReopened;
    if (kind !== 'closed')
      return isResetting({ type: kind as ClinicalEventType, occurredAt: new Date(0) })
        ? words.followsReset
        : words.followsEvent;
    if (reason === '') return null;
    return `${reason === 'healed' ? words.followsHealed : words.followsEnded} ${words.followsLater}`;
  }
  return (
    <>
      {said === null ? null : <p className="notice">{said}</p>}
      {kind === 'closed' && newer !== null ? (
        <p className="notice warn">{fill(words.newerPhoto, { date: momentNamed(newer, language) })}</p>
      ) : null}
    </>
  );
}

function Standing({ facts, words, language }: WoundPanelProps) {
  const { status, closing } = facts.wound;
  if (status === 'open') return <p>{words.woundOpen}</p>;
  if (closing === null) return <p>{words.woundClosed}</p>;
  const { reason, decidedAt, by, note } = closing;
  const told = { reason: reasonWord(reason, words), date: momentNamed(decidedAt, language) };
  return (
    <p>
      {by === null ? fill(words.woundClosedFor, told) : fill(words.woundClosedBy, { ...told, name: by })}
      {note === null ? '' : ` “${note}”`}
    </p>
  );
}

/** Those that stand, newest first; one that was recorded of the wrong wound is taken back. */
function Events({ facts, steps, canDecide, words, language }: WoundPanelProps) {
  const [asked, ask] = useState<string | null>(null);
  if (facts.events.length === 0) return <p className="hint">{words.noEvents}</p>;
  return (
    <ul className="desk-events" aria-label={words.events}>
      {facts.events.toReversed().map((event) => {
        const { id, type, occurredAt, by, note } = event;
        const said = `${eventWord(type, facts)}, ${momentNamed(occurredAt, language)}`;
        return (
          <li key={id}>
            <span>
              {said}
              {by === null ? '' : ` · ${by}`}
              {note === null ? '' : ` · “${note}”`}
            </span>
            {asked === id ? (
              <span className="desk-tools" role="alert">
                {words.withdrawAsked}
                <Button
                  look="danger"
                  isDisabled={!canDecide}
                  onPress={() => {
                    ask(null);
                    const body = { requestId: randomId() };
                    void steps.record({ path: `events/${id}/withdrawal`, body, recorded: 'withdrawal' }, false);
                  }}
                >
                  {words.withdrawNow}
                </Button>
                <Button onPress={() => ask(null)}>{words.cancel}</Button>
              </span>
            ) : (
              <Button aria-label={`${words.withdraw}: ${said}`} isDisabled={!canDecide} onPress={() => ask(id)}>
                {words.withdraw}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
