import { setTimeout as pause } from 'node:timers/promises';
import { isSuturaError } from '../../core/errors/sutura-error.js';
import { InferenceCancelled } from './inference-failure.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/**
 * Repeats work that a fault of the database or the store interrupts until it succeeds or the signal is raised: such a fault says
 * nothing about the photo. Other errors are rethrown. InferenceCancelled when the signal is raised.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    if (signal.aborted) throw new InferenceCancelled();
    try {
      return await work();
    } catch (error) {
      if (!isSuturaError(error, 'service.unavailable', 'service.storage_full')) throw error;
    }
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
