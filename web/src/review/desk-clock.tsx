import { useEffect, useState } from 'react';
import { notifyFrame } from './desk-api.js';
import type { DeskPart } from './report-panel.js';
import { fill } from './words/words.js';

const SOON_MS = 120_000;

/** Says when the desk is about to end, and that it has ended: what is drawn meanwhile could not be saved. */
export function DeskClock({ session, words, language }: DeskPart) {
  const [now, setNow] = useState(() => Date.now());
  const ends = Date.parse(session.expiresAt);
  useEffect(() => {
    const left = ends - now;
    if (left <= 0) return notifyFrame(session, 'ended', {});
    const wait = left > SOON_MS ? left - SOON_MS : left;
    const timer = setTimeout(() => setNow(Date.now()), wait + 50);
    return () => clearTimeout(timer);
  }, [ends, now, session]);
  if (ends - now > SOON_MS) return null;
  const time = new Date(ends).toLocaleTimeString(language, { timeStyle: 'short' });
  return (
    <p className={ends <= now ? 'notice bad' : 'notice'} role="alert">
      {ends <= now ? words.ended : fill(words.endsSoon, { time })}
    </p>
  );
}
