import { useEffect, useRef, useState } from 'react';
import { tellLeft, tellOpen } from './desk-api.js';
import { isGone } from './use-report.js';
import { randomId } from './random-id.js';
import type { Surroundings } from './types.js';

const ASK_MS = 15_000;
/** A first answer that takes longer is said to be missing; a quick one moves nothing under a finger. */
const LATE_MS = 2000;
const TAB_ID = randomId();
/** What was left last: that the next report is open is said after it, under the same id. */
let leaving: Promise<unknown> = Promise.resolve();

/** `unknown`: the last question had no answer. */
export type Presence =
  | { readonly state: 'asking' | 'unknown' }
  | { readonly state: 'known'; readonly others: Surroundings['others']; readonly asOf: string };

interface PresenceWatch<Mark> {
  /** Before a question; given back with its answer. */
  readonly mark: () => Mark;
  readonly onAnswer: (around: Surroundings, mark: Mark) => void;
  /** The report is not one of this desk any more. */
  readonly onGone: () => void;
}

/** Tells the service that this page has the report open, and asks who else has and what stands. */
export function usePresence<Mark>(reportId: string, watch: PresenceWatch<Mark>): Presence {
  const [presence, setPresence] = useState<Presence>({ state: 'asking' });
  const current = useRef(watch);
  useEffect(() => {
    current.current = watch;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWanted = true;
    const late = setTimeout(() => setPresence(unlessKnown), LATE_MS);
    const ask = async () => {
      clearTimeout(timer);
      await leaving;
      if (!isWanted) return;
      const mark = current.current.mark();
      try {
        const around = await tellOpen(reportId, TAB_ID);
        if (!isWanted) return;
        setPresence({ state: 'known', others: around.others, asOf: around.asOf });
        current.current.onAnswer(around, mark);
      } catch (fault) {
        if (!isWanted) return;
        // Said as not known; that the desk has ended is said by the page.
        setPresence({ state: 'unknown' });
        if (isGone(fault)) current.current.onGone();
      }
      clearTimeout(timer);
      if (isWanted) timer = setTimeout(() => void ask(), ASK_MS);
    };
    const atOnce = () => document.visibilityState === 'visible' && void ask();
    const leave = () => {
      leaving = tellLeft(reportId, TAB_ID).catch(() => undefined);
    };
    void ask();
    document.addEventListener('visibilitychange', atOnce);
    window.addEventListener('online', atOnce);
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', atOnce);
    return () => {
      isWanted = false;
      clearTimeout(timer);
      clearTimeout(late);
      document.removeEventListener('visibilitychange', atOnce);
      window.removeEventListener('online', atOnce);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', atOnce);
      leave();
    };
  }, [reportId]);
  return presence;
}

function unlessKnown(known: Presence): Presence {
  return known.state === 'asking' ? { state: 'unknown' } : known;
}
