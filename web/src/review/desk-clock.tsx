import { useEffect, useState } from 'react';
import type { DeskPart } from './report-panel.js';
import { fill } from './words/words.js';

const SOON_MS = 120_000;

/** Says when the desk is about to end, and ends it: what would be drawn from then on could not be saved. */
export function DeskClock({ session, words, language, onEnd }: DeskPart & { readonly onEnd: () => void }) {
  const [now, setNow] = useState(() => Date.now());
  const ends = Date.parse(session.expiresAt);
  useEffect(() => {
    const left = ends - now;
    if (left <= 0) return onEnd();
    const wait = left > SOON_MS ? left - SOON_MS : left;
    const timer = setTimeout(() => setNow(Date.now()), wait + 50);
    return () => clearTimeout(timer);
  }, [ends, now, onEnd]);
  if (ends - now > SOON_MS || ends <= now) return null;
  const time = new Date(ends).toLocaleTimeString(language, { timeStyle: 'short' });
  return (
    <p className="notice" role="alert">
      {fill(session.author.startsWith('link:') ? words.endsSoonUnnamed : words.endsSoon, { time })}
    </p>
  );
}
