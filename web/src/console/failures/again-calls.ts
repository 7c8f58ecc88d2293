import { Refusal } from '../../shared/api.js';
import type { Retried } from '../shared/answers.js';

/** What was done again until now. */
export interface DoneAgain extends Pick<Retried, 'retried' | 'skipped'> {
  /** Behind which one to go on; undefined: from the beginning; null: all were asked for. */
  readonly after: string | null | undefined;
  /** The service could not do it, however often it was asked; a person goes on. */
  readonly isStopped: boolean;
}

export const NOTHING_DONE: DoneAgain = { retried: 0, skipped: [], after: undefined, isStopped: false };

/** Calls in a row that the service cannot do before a person is told. */
export const MOST_IN_VAIN = 5;
const FIRST_PAUSE_MS = 1000;

interface Calls {
  /** One call, behind this one. */
  readonly ask: (after: string | undefined) => Promise<Retried>;
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (done: DoneAgain) => void;
}

/**
 * Call by call until all were asked for. Where the service cannot do it at the moment, the next call waits, twice as long each time, and not for ever.
 * What it could not do is passed over for now, and is among the failures still.
 */
export async function doAllAgain({ ask, pause, onProgress }: Calls, from: DoneAgain): Promise<DoneAgain> {
  let done = { ...from, isStopped: false };
  for (let inVain = 0; done.after !== null;) {
    const answer = await ask(done.after).catch(unlessUnavailable);
    if (answer !== null) {
      const { retried, skipped, after } = answer;
      done = { ...done, retried: done.retried + retried, skipped: [...done.skipped, ...skipped], after };
      onProgress(done);
    }
    // A call in which others were done goes on: one that always takes too long holds up none.
    const isInVain = answer === null || (answer.retried === 0 && answer.skipped.at(-1)?.code === 'service.unavailable');
    inVain = isInVain ? inVain + 1 : 0;
    if (!isInVain || done.after === null) continue;
    if (inVain === MOST_IN_VAIN) return { ...done, isStopped: true };
    await pause(FIRST_PAUSE_MS * 2 ** (inVain - 1));
  }
  return done;
}

function unlessUnavailable(fault: unknown): null {
  if (fault instanceof Refusal && (fault.code === 'service.unavailable' || fault.code === 'network')) return null;
  throw fault;
}
