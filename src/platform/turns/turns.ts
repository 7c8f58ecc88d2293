import { setImmediate as nextIteration } from 'node:timers/promises';

/** Work that is done in pieces: it yields wherever others may have their turn, after a millisecond or two. */
export type Paced<T> = Generator<void, T, void>;

/** Characters or bytes of a piece, where each takes a few nanoseconds. */
export const PIECE = 256 * 1024;
/** Work goes on for as long before others have their turn. */
const TURN_MS = 8;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that nobody else has. One caller's work begins in each, however many wait for theirs: six
 * large bodies at once stop others for as long as one does.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextIteration());
  return lastTurn;
}

/** Bytes that a single step of the engine, such as a copy, takes milliseconds for. */
const MANY_BYTES = 1024 * 1024;

/** An own turn before a step over so many bytes that cannot be done in pieces: a copy, an encryption, a search of the engine. */
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

/** Does the work without a pause: for what is short, or for a program that serves nobody else. */
export function atOnce<T>(work: Paced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
