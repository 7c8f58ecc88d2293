import { setImmediate as nextIteration } from 'node:timers/promises';

/** Work that is done in pieces: it yields wherever others may have their turn, after a millisecond or two. */
export type Paced<T> = Generator<void, T, void>;

/** Characters or bytes of a piece, where each takes a few nanoseconds. */
export const PIECE = 256 * 1024;
/** Longest slice of work before the event loop is yielded. */
const TURN_MS = 8;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for an exclusive turn of the event loop: one caller's work starts per turn, so that six large bodies at once block others no longer than one.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextIteration());
  return lastTurn;
}

/** Bytes that a single step of the engine, such as a copy, takes milliseconds for. */
const MANY_BYTES = 1024 * 1024;

/** Takes an exclusive turn before an indivisible step over so many bytes, such as a copy or an encryption. */
export async function ownTurnFor({ length }: { readonly length: number }): Promise<void> {
  if (length >= MANY_BYTES) await ownTurn();
}

/** Does the work, and lets others have their turn every few milliseconds. Work that is shorter than that is done at once. */
export async function inTurns<T>(work: Paced<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + TURN_MS;
    do {
      const { done, value } = work.next();
      if (done === true) return value;
    } while (performance.now() < end);
    await ownTurn();
  }
}

/** For a loop over much: lets others have their turn wherever some milliseconds have passed since the last time. */
export function pacer(): () => Promise<void> | undefined {
  let end = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < end) return undefined;
    return ownTurn().then(() => void (end = performance.now() + TURN_MS));
  };
}

/** Runs the work without yielding: for short work, or for a program that serves no requests. */
export function atOnce<T>(work: Paced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
