import { useEffect, useRef, useState } from 'react';
import { Refusal } from '../shared/api.js';
import { readSession } from './desk-api.js';
import type { DraftState } from './draft-state.js';
import type { DeskPart } from './desk-part.js';
import { fill } from './words/words.js';

const SOON_MS = 120_000;
const ASK_AGAIN_MS = 15_000;
/** So long after the end, or after the service last said that the desk is open, an answer that says neither counts as the end. */
const BELIEVED_MS = 120_000;

interface ClockProps extends DeskPart {
  readonly draft: DraftState;
  readonly onEnd: () => void;
}

/** Says when the desk is about to end, and ends it: what would be drawn from then on could not be saved. */
export function DeskClock({ session, words, language, draft, onEnd }: ClockProps) {
  const [now, setNow] = useState(() => Date.now());
  const ends = Date.parse(session.expiresAt);
  const heardAt = useRef(0);
  useEffect(() => {
    const left = ends - now;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (waitMs: number) => {
      timer = setTimeout(() => setNow(Date.now()), waitMs + 50);
    };
    if (left > 0) look(left > SOON_MS ? left - SOON_MS : left);
    // The clock of this machine may be wrong: the service is asked, and the clock believed where it is out of reach, or too busy to say.
    else
      readSession().then(
        () => {
          heardAt.current = Date.now();
          look(ASK_AGAIN_MS);
        },
        (fault: unknown) => {
          const isBelieved = Date.now() - Math.max(ends, heardAt.current) > BELIEVED_MS;
          if (!isBelieved && fault instanceof Refusal && fault.status > 401) look(ASK_AGAIN_MS);
          else onEnd();
        },
      );
    return () => clearTimeout(timer);
  }, [ends, now, onEnd]);
  if (ends - now > SOON_MS || ends <= now) return null;
  const time = new Date(ends).toLocaleTimeString(language, { timeStyle: 'short' });
  return (
    <p className="notice" role="alert">
      {fill(session.author.startsWith('link:') ? words.endsSoonUnnamed : words.endsSoon, { time })}
      {draft.kind === 'failed' || draft.kind === 'other' ? ` ${words.endsSoonUnsaved}` : null}
    </p>
  );
}
